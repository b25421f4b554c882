import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FormEntry
import FormLogic
import Foundation
import Testing

@testable import FieldForms

/// Filled forms in the styles of other programs.
@Suite struct ResponseExportTests {
    private static let yaml = """
        form: wells
        version: 1
        title: Wells
        languages: {en: English, fr: Français}
        lists:
          kinds: {a: {en: Alpha, fr: Premier}, b: {en: Beta, fr: Second}, c: {en: Gamma, fr: Tiers}}
        questions:
          - note hello: Hello
          - text who: {en: Who, fr: Qui}
          - group about: About
            questions:
              - select_multiple kinds kind: {en: Kind, fr: Sorte}
              - geopoint place: Place
          - repeat point: Point
            questions:
              - integer depth: Depth
              - repeat test: Test
                questions:
                  - decimal ph: pH

        """
    private static let answers: JSONObject = [
        "who": "=Ann; \"A\"", "about": ["kind": ["b", "a"], "place": "52.5 13.4 34 5"],
        "point": [["depth": 3, "test": [["ph": 7.5], ["ph": 7.0]]], ["depth": 18]],
    ]

    private let shelf: FormShelf
    private let record: Response

    init() throws {
        shelf = try FormShelf()
        try shelf.publish(Self.yaml)
        record = try Self.finalised(Self.answers, on: shelf)
    }

    private static func setting(_ shelf: FormShelf) -> FormSetting {
        FormSetting(now: { 1_772_619_307_000 }, zone: FixedFormZone(), author: shelf.author, seed: 1)
    }

    private static func finalised(_ answers: JSONObject, on shelf: FormShelf) throws -> Response {
        let session = try FormSession.begin(shelf.library.load("wells"), in: shelf.field, setting: setting(shelf))
        var filler = FormFiller(session.state, language: session.texts, now: 1_772_619_307_000) { path, _ in
            try session.attach(path: path, for: nil, in: session.state)
        }
        filler.fill(answers)
        #expect(filler.problems.isEmpty, "\(filler.problems)")
        try session.save(filler.state, marks: session.marks)
        _ = try session.finalise(session.state, marks: session.marks, droppingSurplus: false)
        return session.response
    }

    private func files(_ change: (inout ExportOptions) -> Void = { _ in }) throws -> [String: String] {
        var options = ExportOptions()
        change(&options)
        let folder = shelf.root.appendingPathComponent("out-\(UUID().uuidString)")
        let export = try ResponseExport(
            of: shelf.library.load("wells"), in: shelf.field, to: folder.path, setting: Self.setting(shelf),
            options: options)
        let report = try export.run([record.id])
        #expect(report.leftOut.isEmpty && report.missing.isEmpty)
        var files: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let url = folder.appendingPathComponent(path)
            guard let content = try? String(contentsOf: url, encoding: .utf8) else { continue }
            files[path] = content
        }
        return files
    }

    private var key: String { record.instanceID }
    private var name: String { record.instanceName ?? "" }

    @Test func centralHasATableForEachRepeat() throws {
        let files = try files()
        #expect(files.keys.sorted() == ["wells-point.csv", "wells-test.csv", "wells.csv"])
        #expect(
            files["wells.csv"] == """
                SubmissionDate,hello,who,about-kind,about-place-Latitude,about-place-Longitude,about-place-Altitude,\
                about-place-Accuracy,meta-instanceID,meta-instanceName,KEY,SubmitterID,SubmitterName,AttachmentsPresent,\
                AttachmentsExpected,Status,ReviewState,DeviceID,Edits,FormVersion
                2026-03-04T10:15:07.000Z,,"=Ann; ""A""\",b a,52.5,13.4,34.0,5.0,\(key),\(name),\(key),office,office,0,0,,,\
                desk,0,1

                """)
        #expect(
            files["wells-point.csv"] == "depth,PARENT_KEY,KEY\n3,\(key),\(key)/point[1]\n18,\(key),\(key)/point[2]\n")
        #expect(
            files["wells-test.csv"] == """
                ph,PARENT_KEY,KEY
                7.5,\(key)/point[1],\(key)/point[1]/test[1]
                7,\(key)/point[1],\(key)/point[1]/test[2]
                ,\(key)/point[2],\(key)/point[2]/test[1]

                """, "each instance begins with one of its own")
    }

    @Test func selectsAreSplitIntoTheChoicesThatWereSeen() throws {
        let central = try files { ($0.splitsSelects, $0.namesGroups) = (true, false) }
        let lines = try #require(central["wells.csv"]).split(separator: "\n")
        #expect(lines[0].contains(",kind,kind/a,kind/b,place-Latitude,") && lines[1].contains(",b a,1,1,52.5,"))
        let own = try files { ($0.splitsSelects, $0.style) = (true, .fieldbook) }
        let rows = try #require(own["wells.csv"]).split(separator: "\n")
        #expect(rows[0].hasPrefix("Id,State,InstanceName,SubmissionDate,"))
        #expect(rows[0].contains("about-kind/a,about-kind/b,about-kind/c,") && rows[1].contains(",b a,1,1,0,52.5,"))
        #expect(rows[1].hasPrefix("\(record.id),final,\(name),"))
    }

    @Test func koboQuotesEachCellAndJoinsGroupsByASlash() throws {
        let files = try files { ($0.style, $0.isSpreadsheetSafe) = (.kobo, true) }
        let lines = try #require(files["wells.csv"]).split(separator: "\n")
        #expect(
            lines[0].hasPrefix(
                #""who";"about/kind";"about/kind/a";"about/kind/b";"about/kind/c";"about/place";"about/_place_latitude";"#
            ))
        #expect(lines[0].hasSuffix(#""_submitted_by";"__version__";"_tags";"_index""#))
        #expect(
            lines[1].hasPrefix(#""'=Ann; ""A""";"b a";"1";"1";"0";"52.5 13.4 34.0 5.0";"52.5";"13.4";"34.0";"5.0";"#))
        let tests = try #require(files["wells-test.csv"]).split(separator: "\n")
        #expect(tests[0].hasPrefix(#""ph";"_index";"_parent_table_name";"_parent_index";"_submission__id""#))
        #expect(tests[2].hasPrefix(#""7";"2";"wells-point";"1";"#))
    }

    @Test func labelsAreInTheLanguageThatWasAskedFor() throws {
        let files = try files { ($0.language, $0.namesGroups) = ("fr", false) }
        let lines = try #require(files["wells.csv"]).split(separator: "\n")
        #expect(lines[0].contains(",Qui,Sorte,") && lines[1].contains(",Second Premier,"))
    }

    @Test func aMapHasAFeatureForEachRecord() throws {
        let text = try #require(try files { $0.style = .geojson }["wells.geojson"])
        let map = try JSONValue(parsing: text)
        let feature = try #require(map["features"]?.arrayValue?.first)
        #expect(map["type"] == "FeatureCollection" && feature["id"] == .string(key))
        #expect(feature["geometry"]?["type"] == "Point")
        let coordinates = feature["geometry"]?["coordinates"]?.arrayValue?.compactMap(\.doubleValue)
        #expect(coordinates == [13.4, 52.5, 34])
        #expect(feature["properties"]?["about-kind"] == "b a" && feature["properties"]?["FormVersion"] == "1")
        #expect(throws: FormFillingError.self) { try files { ($0.style, $0.geoFields) = (.geojson, ["who"]) } }
    }

    @Test func linesHaveTheRecordsThemselves() throws {
        let text = try #require(try files { $0.style = .jsonl }["wells.jsonl"])
        let stored = try #require(try shelf.field.responses.find(record.id))
        #expect(Array(text.utf8) == stored.identifiedObject.bytes + [UInt8(ascii: "\n")])
    }

    @Test func aSubmissionHasEachRelevantNode() throws {
        let files = try files { $0.style = .xml }
        let text = try #require(files.values.first)
        #expect(text.contains(#"<data id="wells" version="1""#) && text.contains("<hello/><who>=Ann; "))
        #expect(text.contains("<about><kind>b a</kind><place>52.5 13.4 34.0 5.0</place></about>"))
        #expect(text.contains("<point><depth>3</depth><test><ph>7.5</ph></test><test><ph>7</ph></test></point>"))
        #expect(text.contains("<orx:instanceID>\(key)</orx:instanceID>"))
    }

    @Test func vanishedQuestionsAreBehindTheirFormerPredecessors() throws {
        try shelf.publish(
            Self.yaml.replacingOccurrences(of: "version: 1", with: "version: 2")
                .replacingOccurrences(of: "  - text who: {en: Who, fr: Qui}\n", with: "  - text when: When\n"))
        let current = try #require(try files()["wells.csv"]).split(separator: "\n")
        #expect(current[0].hasPrefix("SubmissionDate,hello,when,about-kind,"))
        let all = try #require(try files { $0.hasAllVersions = true }["wells.csv"]).split(separator: "\n")
        #expect(all[0].hasPrefix("SubmissionDate,hello,who,when,about-kind,") && all[1].contains("=Ann"))
    }

    /// Repeats in different groups may have one name.
    @Test func tablesOfOneNameAreNumbered() {
        func group(_ name: Name) -> FormNode {
            FormNode(name: name, kind: .group, nodes: [FormNode(name: "row", kind: .repeat)])
        }
        let layout = ExportLayout([group("a"), group("b")], form: "f", keepsNotes: true)
        #expect(layout.tables.map(\.name) == ["f", "f-row~1", "f-row~2"])
        #expect(layout.tables.map { $0.path.map(\.text) } == [[], ["a", "row"], ["b", "row"]])
    }
}
