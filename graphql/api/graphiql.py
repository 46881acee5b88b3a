"""GraphiQL from files of our own environment, under a policy that lets it reach no other host."""

import base64
import hashlib
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from string import Template

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

PACKAGE = "graphene_django_graphiql_static"
SCRIPTS = (
    "react.production.min.js",
    "react-dom.production.min.js",
    "graphiql.min.js",
    "graphiql-plugin-explorer.umd.js",
)
STYLES = ("graphiql.min.css", "style.css")
TYPES = {"js": "text/javascript", "css": "text/css"}
FOLDER = "/graphiql"

_PAGE = Template("""<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<title>Praça · GraphiQL</title>
$styles
<style>html, body, #editor { height: 100%; margin: 0; overflow: hidden }</style>
</head>
<body>
<div id="editor">…</div>
$scripts
<script>$start</script>
</body>
</html>
""")
_START = """
const fetcher = GraphiQL.createFetcher({ url: location.pathname });
function Page() {
  const [query, setQuery] = React.useState("{ municipality { name uf today } viewer { subject kind offices } }");
  const explorer = GraphiQLPluginExplorer.useExplorerPlugin({ query, onEdit: setQuery });
  return React.createElement(GraphiQL, {
    fetcher,
    query,
    onEditQuery: setQuery,
    plugins: [explorer],
    isHeadersEditorEnabled: true,
    shouldPersistHeaders: false,
    defaultHeaders: JSON.stringify({ Authorization: "Bearer …" }, null, 2),
  });
}
ReactDOM.render(React.createElement(Page), document.getElementById("editor"));
"""


@cache
def page() -> tuple[str, str]:
    """The page, and the policy that names its one inline script by hash."""
    styles = "\n".join(f'<link rel="stylesheet" href="{FOLDER}/{name}">' for name in STYLES)
    scripts = "\n".join(f'<script src="{FOLDER}/{name}"></script>' for name in SCRIPTS)
    start = base64.b64encode(hashlib.sha256(_START.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'self' 'sha256-{start}'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return _PAGE.substitute(styles=styles, scripts=scripts, start=_START), policy


@cache
def file(name: str) -> bytes:
    return files(PACKAGE).joinpath("static", PACKAGE, name).read_bytes()


async def show(request: Request) -> Response:
    html, policy = page()
    return HTMLResponse(html, headers={"content-security-policy": policy})


async def serve(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in (*SCRIPTS, *STYLES):
        return Response(status_code=HTTPStatus.NOT_FOUND)
    return Response(
        file(name),
        media_type=TYPES[name.rpartition(".")[2]],
        headers={"cache-control": "public, max-age=86400"},
    )


def routes() -> list[BaseRoute]:
    return [Route(f"{FOLDER}/{{name}}", serve, methods=["GET"])]
