import DocumentValues
import FormLogic
import Testing

/// The form and the record of the vectors.
enum ContextForm {
    private static let definition = """
        {"type": "form", "schema": 2, "form": "ctx", "version": "7", "title": "Context",
         "lists": {
           "region": [{"name": "n", "label": "North"}, {"name": "s", "label": "South"}],
           "colors": [{"name": "r", "label": "Red"}, {"name": "g", "label": "Green"}, {"name": "b", "label": "Blue"}],
           "town": [
             {"name": "a", "label": "Alba", "columns": {"region": "n", "pop": "100"}},
             {"name": "c", "label": "Cove", "columns": {"region": "n", "pop": "200"}},
             {"name": "d", "label": "Dell", "columns": {"region": "s", "pop": "300"}}]},
         "nodes": [
           {"name": "nm", "type": "text"}, {"name": "empty", "type": "text"}, {"name": "age", "type": "integer"},
           {"name": "w", "type": "decimal"}, {"name": "noint", "type": "integer"}, {"name": "d", "type": "date"},
           {"name": "t", "type": "time"}, {"name": "dt", "type": "dateTime"},
           {"name": "reg", "type": "select_one", "list": "region"},
           {"name": "col", "type": "select_multiple", "list": "colors"},
           {"name": "rk", "type": "rank", "list": "colors"},
           {"name": "pt", "type": "geopoint"}, {"name": "tr", "type": "geotrace"}, {"name": "sh", "type": "geoshape"},
           {"name": "g", "type": "group", "nodes": [{"name": "ing", "type": "text"}]},
           {"name": "person", "type": "repeat", "nodes": [
             {"name": "pname", "type": "text"}, {"name": "page", "type": "integer"}, {"name": "pets", "type": "integer"},
             {"name": "visit", "type": "repeat", "nodes": [{"name": "n", "type": "integer"}]}]},
           {"name": "corner", "type": "repeat", "nodes": [{"name": "cp", "type": "geopoint"}]},
           {"name": "z", "type": "text"},
           {"name": "town", "type": "select_one", "list": "town", "choice_filter": "region=${reg}"}]}
        """

    private static let answers = """
        {"nm": "Ana Lee", "age": 42, "w": 3.5, "d": "2026-03-04", "t": "13:45:00.000+01:00",
         "dt": "2026-03-04T13:45:30.500+01:00", "reg": "n", "col": ["r", "b"], "rk": ["b", "r", "g"],
         "pt": {"latitude": 52.5, "longitude": 13.4, "altitude": 34, "accuracy": 5},
         "tr": [POINT(0,0), POINT(0,1), POINT(1,1)],
         "sh": [POINT(0,0), POINT(0,1), POINT(1,1), POINT(1,0), POINT(0,0)],
         "g": {"ing": "inner"},
         "person": [
           {"@key": "k1", "pname": "Ann", "page": 10, "pets": 2, "visit": [{"@key": "v1", "n": 1}, {"@key": "v2", "n": 2}]},
           {"@key": "k2", "pname": "Bob", "page": 30, "visit": [{"@key": "v3", "n": 3}]},
           {"@key": "k3", "pname": "Cy", "page": 5, "pets": 1}],
         "corner": [{"cp": POINT(0,0)}, {"cp": POINT(0,1)}, {"cp": POINT(1,1)}, {}]}
        """

    static func form() throws -> Form {
        let read = FormReader.read(try JSONObject(parsing: Array(definition.utf8)))
        #expect(read.problems.isEmpty)
        return read.form
    }

    static func evaluator() throws -> FormEvaluator {
        let form = try form()
        let program = FormProgram(form)
        #expect(program.problems.isEmpty)
        let points = answers.replacing(/POINT\((\d),(\d)\)/) { "{\"latitude\": \($0.1), \"longitude\": \($0.2)}" }
        var keys = 0
        let read = Record.read(try JSONObject(parsing: Array(points.utf8)), outline: program.outline) {
            keys += 1
            return "new\(keys)"
        }
        #expect(read.problems.isEmpty)
        let zone = try #require(NamedFormZone(identifier: "Europe/Berlin"))
        let state = FunctionState(
            conversions: Conversions(zone: zone), now: 1_772_631_930_500, language: "en", random: FormRandom(seed: 1))
        return FormEvaluator(
            program: program, record: read.record,
            instances: FormInstances(lists: form.lists, language: nil, fallback: nil), state: state,
            properties: ["username": "ann"])
    }

    /// The node of a path below the root, with positions: `person[2]/page`.
    static func node(_ path: String, in record: Record) throws -> Record.ID {
        var node = Record.root
        for step in path.split(separator: "/") {
            let parts = step.split(separator: "[")
            let name = Name(parts[0])
            let position = parts.count > 1 ? try #require(Int(parts[1].dropLast())) : 1
            let child = try #require(record.outline.child(of: record[node].formNode, named: name))
            node = try #require(record.children(of: node, formNode: child).dropFirst(position - 1).first)
        }
        return node
    }
}
