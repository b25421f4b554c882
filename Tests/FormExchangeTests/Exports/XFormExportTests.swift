import DocumentValues
import FormLogic
import Testing

@testable import FormExchange

/// XForms that are written, beside those of pyxform.
@Suite struct XFormExportTests {
    private struct Parts {
        var binds: [Name: [String]] = [:]
        var controls: [String] = []
        var actions: [String] = []
        var instances: [Name: String] = [:]

        init(_ bytes: [UInt8]) throws {
            let root = try MarkupElement(bytes, file: "a")
            let model = try #require(root.child("head")?.child("model"))
            for bind in model.children("bind") { binds[Name(bind["nodeset"] ?? "")] = Self.attributes(bind) }
            for instance in model.children("instance") { instances[Name(instance["id"] ?? "")] = Self.text(instance) }
            collect(model)
            collect(try #require(root.child("body")))
            actions.sort { $0.isExactlyBefore($1) }
        }

        private mutating func collect(_ element: MarkupElement) {
            for child in element.children {
                let line = "\(child.local) \(Self.attributes(child).joined(separator: " "))"
                switch child.local {
                case "setvalue", "setgeopoint": actions.append(line)
                case "instance", "bind", "itext", "output": continue
                default: controls.append(line)
                }
                collect(child)
            }
        }

        private static func attributes(_ element: MarkupElement) -> [String] {
            element.tag.attributes.map { "\($0.written)=\($0.value)" }
        }

        private static func text(_ element: MarkupElement) -> String {
            "<\(element.local) \(attributes(element))>\(element.text.trimmingSpaces)"
                + element.children.map { text($0) }.joined() + "</>"
        }
    }

    @Test(arguments: ["household", "nested", "translated", "cascade", "entities"])
    func bindsAndControlsAreThoseOfPyxform(name: String) throws {
        let form = try FormFixtures.sheets(name + ".xlsx").form
        let ours = try Parts(XFormExport.write(form))
        let theirs = try Parts(FormFixtures.bytes(name + ".xml"))
        for (path, bind) in theirs.binds { #expect(ours.binds[path] == bind, "\(path)") }
        #expect(ours.binds.count == theirs.binds.count)
        #expect(ours.actions == theirs.actions)
        // pyxform writes a space more in a filter, and keeps a text that is the same in all languages in the model.
        let controls = zip(ours.controls, theirs.controls).filter { $0 != $1 }
        #expect(ours.controls.count == theirs.controls.count)
        #expect(controls.count <= (name == "nested" || name == "translated" ? 1 : 0), "\(controls)")
        for (id, instance) in theirs.instances { #expect(ours.instances[id] == instance, "\(id)") }
    }

    /// A sample form in YAML, and what pyxform makes of its workbook: the same nodes, and one bind and control each.
    @Test(arguments: ["kitchen_hygiene", "playground", "water_point"])
    func theSampleFormsAreThoseOfPyxform(name: String) throws {
        let form = try SampleForms.yaml(name)
        #expect(XFormExport.losses(of: form) == ["the title in all languages but one"])
        let ours = try Parts(XFormExport.write(form))
        let theirs = try Parts(SampleForms.xform(name))
        for (path, bind) in theirs.binds { #expect(ours.binds[path] == bind, "\(path)") }
        #expect(ours.binds.count == theirs.binds.count)
        #expect(ours.actions == theirs.actions && ours.instances.count == theirs.instances.count)
        // A text that is the same in all languages is written once here, and pyxform writes that of `or_other` once.
        let isOfTexts = { (line: String) in
            line.hasPrefix("label ") || line.hasPrefix("itemset nodeset=/data/point[")
        }
        let controls = zip(ours.controls, theirs.controls).filter { $0 != $1 && !(isOfTexts($0) && isOfTexts($1)) }
        #expect(controls.isEmpty && ours.controls.count == theirs.controls.count, "\(controls)")
        let lists: [Name] = name == "water_point" ? ["district", "village"] : []
        for (id, instance) in theirs.instances where !lists.contains(id) {
            #expect(ours.instances[id] == instance, "\(id)")
        }
    }

    @Test(arguments: [
        ("${pname} + 1", "/data/person/pets", " ../pname  + 1"), ("${age}", "/data/person/pets", " /data/age "),
        ("${pname}", "/data/age", " /data/person/pname "),
        ("count(${person})", "/data/person/pets", "count( /data/person )"),
        ("${n}", "/data/person/visit/n", " ../n "), ("${m}", "/data/person/visit/about/n2", " ../m "),
        ("${n}", "/data/person/visit/about", " ../n "), ("${m}", "/data/person/visit/about", " ../about/m "),
        ("${pname}", "/data/person/visit/n", " ../../pname "),
        ("x[y = ${pname}]", "/data/person/pets", "x[y =  current()/../pname ]"),
        (
            "indexed-repeat(${pname}, ${person}, 1 + ${pets})", "/data/person/pets",
            "indexed-repeat( /data/person/pname ,  /data/person , 1 +  ../pets )"
        ),
        (
            "jr:choice-name(${pname}, '${pname}')", "/data/person/pets",
            "jr:choice-name( ../pname , ' /data/person/pname ')"
        ),
        ("${last-saved#age}", "/data/age", " instance('__last-saved')/data/age "), ("${zz}", "/data/age", " ${zz} "),
    ])
    func referencesBecomePaths(text: String, context: String, expected: String) throws {
        let reading = try FormFixtures.markdown(
            """
            | survey |
            | | type | name | label |
            | | integer | age | A |
            | | begin_repeat | person | P |
            | | text | pname | N |
            | | integer | pets | T |
            | | begin_repeat | visit | V |
            | | integer | n | N |
            | | begin_group | about | A |
            | | integer | m | M |
            | | integer | n2 | N |
            | | end_group | | |
            | | end_repeat | | |
            | | end_repeat | | |
            """)
        let context = try #require(XFormPath(context))
        #expect(ReferenceWriter.written(text, context: context, paths: ExportPaths(reading.form)) == expected)
    }
}
