import DocumentValues
import FormLogic
import Foundation
import Testing

@testable import FieldForms

/// The sample forms in YAML, and the XForms that pyxform made of them: filled with the same answers, both have the same
/// values, problems and results.
@Suite struct SampleXFormTests {
    private static let names = ["kitchen_hygiene", "playground", "water_point"]
    /// In XForms a title is in one language, and pyxform writes the label of the question that `or_other` adds in English.
    private static let otherLabels = ["Bitte angeben.", "Précisez."]
    private static let pyxformLabel = "Specify other."

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let fixtures = root.appendingPathComponent("Tests/FormExchangeTests/Fixtures/Samples")

    private func forms(_ name: String) throws -> (yaml: Form, xform: Form) {
        let yaml = try FormSource.read(Self.root.appendingPathComponent("sample-data/forms/\(name).yaml").path)
        let xform = try FormSource.read(Self.fixtures.appendingPathComponent("\(name).xml").path)
        #expect(yaml.findings.isEmpty && xform.findings.isEmpty, "\(xform.findings.shown.map(\.text))")
        return (yaml.form, xform.form)
    }

    private func sets(of name: String) throws -> [JSONObject] {
        let bytes = [UInt8](try Data(contentsOf: Self.fixtures.appendingPathComponent("answers.json")))
        let sets = try #require(try JSONObject(parsing: bytes)["sets"]?.arrayValue)
        return sets.compactMap(\.objectValue).filter { $0["form"]?.stringValue == name }
    }

    @Test(arguments: names) func bothHoldAndShowTheSame(name: String) throws {
        let forms = try forms(name)
        let sets = try sets(of: name)
        #expect(sets.count >= 3)
        for set in sets {
            let title = set["name"]?.stringValue ?? ""
            var yaml = try ScriptedFilling(forms.yaml, lastSaved: set["lastSaved"]?.objectValue)
            var xform = try ScriptedFilling(forms.xform, lastSaved: set["lastSaved"]?.objectValue)
            let steps = try #require(set["steps"]?.arrayValue)
            for (index, step) in steps.enumerated() {
                let answers = try #require(step.objectValue)
                yaml.fill(answers)
                xform.fill(answers)
                for language in forms.yaml.languages {
                    compare(
                        yaml.lines(in: language.code), with: xform.lines(in: language.code),
                        at: "\(title), step \(index + 1), \(language.name)")
                }
            }
            check(yaml, has: set, at: title)
        }
    }

    private func compare(_ ours: [String], with theirs: [String], at title: String) {
        let known = ours.map { line in
            Self.otherLabels.reduce(line) { $0.replacingOccurrences(of: $1, with: Self.pyxformLabel) }
        }
        let differences = zip(known, theirs).filter { $0 != $1 }.prefix(5).map { "\($0) / \($1)" }
        #expect(differences.isEmpty && known.count == theirs.count, "\(title): \(differences)")
    }

    /// Two forms that are equally empty would be the same, too.
    private func check(_ filling: ScriptedFilling, has set: JSONObject, at title: String) {
        for member in set["values"]?.objectValue?.members ?? [] {
            #expect(filling.value(member.key) == member.value.stringValue, "\(title): \(member.key)")
        }
        for path in texts("hidden", of: set) { #expect(filling.isRelevant(path) == false, "\(title): \(path)") }
        #expect(filling.problems == texts("problems", of: set), "\(title)")
        #expect(filling.failures() == texts("failures", of: set), "\(title)")
    }

    private func texts(_ member: String, of set: JSONObject) -> [String] {
        (set[member]?.arrayValue ?? []).compactMap(\.stringValue)
    }

    @Test(arguments: names) func whatPyxformLosesIsKnown(name: String) throws {
        let (yaml, xform) = try forms(name)
        #expect(xform.id == yaml.id && xform.version == yaml.version && xform.languages.count == 2)
        #expect(xform.title.all == [yaml.title.text(in: yaml.language)])
        let others = Self.others(in: xform.nodes).map(\.all)
        #expect(others == (name == "playground" ? [] : [[Self.pyxformLabel]]))
        #expect(Self.others(in: yaml.nodes).map(\.all.count) == others.map { _ in 2 })
    }

    /// Labels of the questions that `or_other` adds.
    private static func others(in nodes: [FormNode]) -> [FormText] {
        nodes.flatMap { node in
            (node.name.text.hasSuffix("_other") ? [node.label].compactMap { $0 } : []) + others(in: node.nodes)
        }
    }
}
