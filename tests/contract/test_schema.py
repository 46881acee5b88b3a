"""What front ends rely on: the schema as it was reviewed, and every document they send."""

from pathlib import Path

import pytest
from graphql import (
    FieldNode,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLUnionType,
    OperationDefinitionNode,
    OperationType,
    is_input_object_type,
    parse,
    validate,
)

from api.documents import OPERATIONS, Documents, hash_of, trusted
from api.limits import excesses
from api.schema import schema
from services.settings import Settings

CONTRACT = OPERATIONS.parent / "schema.graphql"
DOCUMENTS = trusted()
FAILURES = {"Refused", "Invalid", "NotFound", "Conflict", "Forbidden"}
SETTINGS = Settings.model_construct()


def test_the_schema_is_the_one_that_was_reviewed() -> None:
    assert CONTRACT.read_text(encoding="utf-8") == schema.as_str() + "\n", "./praca schema writes it"


def test_the_folder_of_graphql_hides_no_library() -> None:
    assert not (OPERATIONS.parent / "__init__.py").exists()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_document_of_the_front_ends_holds(name: str) -> None:
    """Valid, within the limits, one operation a file, and called as the file is."""
    document = parse(DOCUMENTS[name])
    operations = [d for d in document.definitions if isinstance(d, OperationDefinitionNode)]

    assert validate(schema._schema, document) == []
    assert excesses(schema._schema, document, SETTINGS) == []
    (operation,) = operations
    assert operation.name is not None
    assert operation.name.value[:1].lower() + operation.name.value[1:] == Path(name).name


@pytest.mark.parametrize("operation", OperationType)
def test_every_root_field_is_asked_by_some_front_end(operation: OperationType) -> None:
    """In production nothing else can be asked."""
    root = schema._schema.get_root_type(operation)
    asked = {
        selection.name.value
        for text in DOCUMENTS.values()
        for d in parse(text).definitions
        if isinstance(d, OperationDefinitionNode) and d.operation is operation
        for selection in d.selection_set.selections
        if isinstance(selection, FieldNode)
    }

    assert root is not None
    assert set(root.fields) == asked


def test_a_mutation_takes_one_input_and_answers_with_all_the_noes() -> None:
    root = schema._schema.mutation_type

    assert root is not None
    for name, field in root.fields.items():
        (argument,) = field.args.values()
        assert isinstance(argument.type, GraphQLNonNull), name
        assert is_input_object_type(argument.type.of_type), name
        assert isinstance(field.type, GraphQLNonNull), name
        union = field.type.of_type
        assert isinstance(union, GraphQLUnionType), name
        assert {each.name for each in union.types} >= FAILURES, name


def test_every_type_and_root_field_says_what_it_is() -> None:
    """Bilingual: the legal term in Portuguese stands in it."""
    own = [t for n, t in schema._schema.type_map.items() if isinstance(t, GraphQLObjectType) and not n.startswith("__")]
    roots = [t for t in map(schema._schema.get_root_type, OperationType) if t is not None]

    assert [t.name for t in own if not t.description] == []
    assert [f"{root.name}.{n}" for root in roots for n, f in root.fields.items() if not f.description] == []


def test_production_knows_each_document_by_its_hash() -> None:
    documents = Documents(schema._schema, SETTINGS)

    for text in DOCUMENTS.values():
        assert documents.find(None, hash_of(text)).errors == []


def test_production_does_not_show_its_schema() -> None:
    digest = hash_of("{ __schema { types { name } } }")
    documents = Documents(schema._schema, SETTINGS)

    with pytest.raises(Exception, match="Documento desconhecido"):
        documents.find(None, digest)
