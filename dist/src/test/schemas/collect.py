#!/usr/bin/env python3
"""Writes kubernetes.json, the schemas of the objects in examples/kubernetes, without descriptions; unknown fields are errors.

    pip install kubernetes-validate==1.37.0      # has the schemas of Kubernetes
    collect.py CRD.yaml... >kubernetes.json      # the custom resources: deploy/crds of cert-manager (Go module, v1.21.2), and
                                                 # deploy/crds of the ArkMQ operator (v2.2.0)

All three are under the Apache License 2.0.
"""

import json
import pathlib
import sys

import kubernetes_validate
import yaml

VERSION = "1.37.0"
KINDS = {
    "v1 Secret": "io.k8s.api.core.v1.Secret",
    "v1 ConfigMap": "io.k8s.api.core.v1.ConfigMap",
    "v1 Service": "io.k8s.api.core.v1.Service",
    "apps/v1 StatefulSet": "io.k8s.api.apps.v1.StatefulSet",
    "batch/v1 Job": "io.k8s.api.batch.v1.Job",
}
CUSTOM = ["cert-manager.io/v1 Certificate", "cert-manager.io/v1 Issuer", "broker.amq.io/v1beta1 ActiveMQArtemis"]
METADATA = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"


def slim(node):
    """Returns a schema without texts and extensions, in which objects have their properties alone."""
    if isinstance(node, list):
        return [slim(each) for each in node]
    if not isinstance(node, dict):
        return node
    slimmed = {
        key: {name: slim(value) for name, value in value.items()} if key == "properties" else slim(value)
        for key, value in node.items()
        if key not in ("description", "$schema", "default", "title") and not key.startswith("x-")
    }
    if node.get("x-kubernetes-int-or-string"):
        slimmed = {"type": ["integer", "string"]}
    if node.get("nullable"):
        slimmed.pop("nullable")
        slimmed["type"] = [slimmed["type"], "null"]
    if "properties" in node and not node.get("x-kubernetes-preserve-unknown-fields"):
        slimmed.setdefault("additionalProperties", False)
    return slimmed


def point(node, wanted):
    """Lets references point into the one file, and adds their names to those that are wanted."""
    for each in node if isinstance(node, list) else node.values() if isinstance(node, dict) else []:
        point(each, wanted)
    if isinstance(node, dict) and isinstance(node.get("$ref"), str):
        name = node["$ref"].rsplit("/", 1)[1]
        node["$ref"] = f"#/$defs/{name}"
        wanted.append(name)


def main(crds):
    """Prints the schemas, by apiVersion and kind, with what they refer to."""
    package = pathlib.Path(kubernetes_validate.__file__).parent
    folder = package / "kubernetes-json-schema" / f"v{VERSION}-local-strict"
    known = json.loads((folder / "_definitions.json").read_text())["$defs"]
    definitions, wanted = {}, [METADATA, *KINDS.values()]
    while wanted:
        name = wanted.pop()
        if name not in definitions:
            definitions[name] = slim(known[name])
            point(definitions[name], wanted)
    objects = {name: {"$ref": f"#/$defs/{definition}"} for name, definition in KINDS.items()}
    for path in crds:
        for crd in yaml.safe_load_all(pathlib.Path(path).read_text()):
            for version in crd["spec"]["versions"]:
                name = f"{crd['spec']['group']}/{version['name']} {crd['spec']['names']['kind']}"
                if name in CUSTOM:
                    objects[name] = slim(version["schema"]["openAPIV3Schema"])
                    objects[name]["properties"]["metadata"] = {"$ref": f"#/$defs/{METADATA}"}
    missing = set(CUSTOM) - set(objects)
    if missing:
        sys.exit(f"no schema of {missing}")
    json.dump({"objects": objects, "$defs": definitions}, sys.stdout, separators=(",", ":"), sort_keys=True)
    print()


main(sys.argv[1:])
