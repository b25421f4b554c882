import DocumentValues
import FieldModels

/// Exported records as lines of JSON, which are written record by record. They can be read again before the file is finished;
/// one that is never finished leaves nothing behind.
final class ExportedLines {
    private let file: WholeFile
    private var bytes: [UInt8] = []
    private var count = 0

    init(of kind: RecordKind, in folder: ExportFolder) throws {
        file = try folder.wholeFile("\(kind.plural).jsonl")
    }

    func append(_ record: some FieldRecord) throws {
        bytes += record.identifiedObject.bytes
        bytes.append(UInt8(ascii: "\n"))
        count += 1
        if bytes.count >= FieldRecordsLimits.filePortion { try flush() }
    }

    private func flush() throws {
        try file.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Calls `body` with the id and the content of each record so far.
    func forEach(_ body: (_ id: String, _ object: JSONObject) throws -> Void) throws {
        try flush()
        var line: [UInt8] = []
        try file.read { portion in
            var rest = portion[...]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end]
                try Self.read(line, body: body)
                line.removeAll(keepingCapacity: true)
                rest = rest[(end + 1)...]
            }
            line += rest
        }
    }

    private static func read(_ line: [UInt8], body: (_ id: String, _ object: JSONObject) throws -> Void) throws {
        var object = try JSONObject(parsing: line)
        let id = object["_id"]?.stringValue ?? ""
        object["_id"] = nil
        try body(id, object)
    }

    func finish() throws -> ExportReport.File {
        try flush()
        try file.finish()
        return ExportReport.File(name: file.name, records: count)
    }
}
