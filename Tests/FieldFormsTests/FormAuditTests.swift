import DocumentValues
import FieldModels
import FieldRecords
import FormEntry
import FormLogic
import Foundation
import Testing

@testable import FieldForms

/// The log of a form's filling.
@Suite struct FormAuditTests {
    private static let yaml = """
        form: visit
        version: 1
        title: Visit
        questions:
          - audit audit:
            parameters: {track-changes: true, identify-user: true, track-changes-reasons: on-form-edit}
          - text who: Who
          - repeat point: Point
            questions:
              - integer depth: Depth

        """

    private func setting(_ shelf: FormShelf, at second: Int64) -> FormSetting {
        FormSetting(now: { second * 1000 }, zone: FixedFormZone(), author: shelf.author, seed: 1)
    }

    private func fill(_ session: FormSession, with answers: JSONObject) throws {
        var filler = FormFiller(session.state, language: session.texts, now: 1_772_619_307_000) { path, _ in
            try session.attach(path: path, for: nil, in: session.state)
        }
        filler.fill(answers)
        #expect(filler.problems.isEmpty, "\(filler.problems)")
        try session.save(filler.state, marks: session.marks)
    }

    @Test func eachAnswerIsLoggedWithItsTimesAndValues() throws {
        let shelf = try FormShelf()
        try shelf.publish(Self.yaml)
        let begun = try FormSession.begin(
            shelf.library.load("visit"), in: shelf.field, setting: setting(shelf, at: 100))
        try fill(begun, with: ["who": "Ann", "point": [["depth": 3]]])
        let id = begun.response.id
        let later = try FormSession.open(id, in: shelf.field, setting: setting(shelf, at: 200))
        try fill(later, with: ["who": "Bea"])
        _ = try later.finalise(later.state, marks: later.marks, droppingSurplus: false)
        let log = try #require(try shelf.field.responses.find(id)).audit
        let events = log.map { $0["event"]?.stringValue ?? "" }
        #expect(
            events == [
                "form start", "add repeat", "question", "question", "form resume", "question", "form finalize",
                "form exit",
            ])
        #expect(log[1]["node"] == "/data/point[1]" && log[3]["node"] == "/data/point[1]/depth")
        let change = log[5]
        #expect(change["node"] == "/data/who" && change["old-value"] == "Ann" && change["new-value"] == "Bea")
        #expect(change["start"] == 200_000 && change["end"] == 200_000 && change["user"] == "office")
    }

    @Test func theLogsOfAllRecordsAreInOneTable() throws {
        let shelf = try FormShelf()
        try shelf.publish(Self.yaml)
        let loaded = try shelf.library.load("visit")
        let session = try FormSession.begin(loaded, in: shelf.field, setting: setting(shelf, at: 100))
        try fill(session, with: ["who": "Ann"])
        let out = shelf.root.appendingPathComponent("out")
        let export = try ResponseExport(
            of: loaded, in: shelf.field, to: out.path, setting: setting(shelf, at: 100), options: ExportOptions())
        let report = try export.run([session.response.id])
        #expect(report.files.map(\.name).contains("visit - audit.csv"))
        let table = try String(contentsOf: out.appendingPathComponent("visit - audit.csv"), encoding: .utf8)
        let lines = table.split(separator: "\n")
        #expect(lines[0] == "instance ID,event,node,start,end,old-value,new-value,user,change-reason")
        #expect(lines[2] == "\(session.response.instanceID),question,/data/who,100000,100000,,Ann,office,")
        #expect(lines.count == 4)
    }

    @Test func aFormWithoutTheQuestionHasNoLog() throws {
        let shelf = try FormShelf()
        try shelf.publish(FormShelf.yaml())
        let session = try FormSession.begin(
            shelf.library.load("people"), in: shelf.field, setting: setting(shelf, at: 1))
        try fill(session, with: ["who": "Ann"])
        #expect(session.response.audit.isEmpty)
    }

    @Test func aLogHasALimit() {
        var response = Response(id: "r", form: "f", version: "1", instanceID: "uuid:1", district: nil)
        for number in 0..<(FormLibraryLimits.auditEvents + 5) {
            response.log([["event": "question", "start": .int(number)]])
        }
        #expect(response.audit.count == FormLibraryLimits.auditEvents)
        #expect(response.audit[0]["start"] == 0 && response.audit[1]["start"] == 6)
    }
}
