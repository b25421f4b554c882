import DocumentValues
import FieldModels

extension FuzzTarget {
    /// Documents of the field application as another program may have written them.
    static let records = FuzzTarget(
        name: "records",
        seeds: {
            [
                #"{"schema":1,"name":"A","address":{"street":"B"},"location":{"latitude":1,"longitude":2},"district":"d","#
                    + #""channels":["d"],"createdAt":"2026-03-04T10:15:00Z","source":{"file":"f","digest":"g"},"x":1}"#,
                #"{"site":"s","date":"2026-03-04","status":"done","answers":{"a":1},"form":"f","score":94}"#,
                #"{"inspection":"i","text":"t","severity":"high","photos":[{"@type":"blob","#
                    + #""digest":"sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=","length":3}]}"#,
                #"{"title":"F","fields":[{"name":"a","kind":"choice","label":"A","choices":["x"],"required":true}]}"#,
                #"{"site":"s","inspector":"ann","due":"2026-03-04"}"#,
            ].map { Array($0.utf8) }
        }
    ) { bytes in
        checkRecord(Site.self, bytes)
        checkRecord(Inspection.self, bytes)
        checkRecord(Finding.self, bytes)
        checkRecord(FormDefinition.self, bytes)
        checkRecord(Assignment.self, bytes)
    }

    private static func checkRecord<Record: FieldRecord>(_: Record.Type, _ bytes: [UInt8]) {
        guard let record = try? Record(id: "a", body: bytes) else { return }
        _ = (record.title, record.problems())
        let again = try? Record(id: "a", body: record.body)
        check(again == record, "a \(Record.kind) does not come back: \(text(record.body))")
    }
}
