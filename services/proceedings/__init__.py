"""Administrative cases (processos administrativos): opened, served, defended, decided, appealed, final, kept, gone."""
