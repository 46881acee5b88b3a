"""Selection as front ends see it: calls for vacancies, candidates, lists as published, draws, objections."""
