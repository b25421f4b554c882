import DocumentValues
import Foundation

/// The columns of a CSV file (RFC 4180), which come from the documents themselves: one a member, those of inner objects
/// with dotted names, in the order in which they first appear.
struct TableColumns {
    private(set) var names: [String] = ["_id", "_rev"]
    private var known: Set<Name> = ["_id", "_rev"]

    mutating func add(_ document: JSONObject) {
        Self.forEachCell(document) { name, _ in
            if known.insert(Name(name)).inserted { names.append(name) }
        }
    }

    /// Reads the lines again, since the columns are only known at the end.
    func write(lines: URL, to file: URL) throws {
        let output = try GatewayExportFolder.newFile(file)
        guard let input = try? FileHandle(forReadingFrom: lines) else {
            throw AdminError(.file, problem: "\(lines.path) cannot be read")
        }
        do {
            try output.write(contentsOf: Self.row(names))
            var rest = Data()
            while let piece = try input.read(upToCount: 1 << 20), !piece.isEmpty {
                rest += piece
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    try output.write(contentsOf: row(Array(rest[..<end])))
                    rest = rest[rest.index(after: end)...]
                }
            }
            try output.close()
            try input.close()
        } catch {
            throw AdminError(.file, problem: "\(file.path) cannot be written: \(error.localizedDescription)")
        }
    }

    private func row(_ line: [UInt8]) throws -> Data {
        var cells: [Name: String] = [:]
        Self.forEachCell(try JSONObject(parsing: line)) { cells[Name($0)] = $1 }
        return Self.row(names.map { cells[Name($0)] ?? "" })
    }

    private static func row(_ cells: [String]) -> Data {
        var writer = CSVWriter()
        writer.append(cells)
        return Data(writer.bytes)
    }

    private static func forEachCell(_ object: JSONObject, prefix: String = "", body: (String, String) -> Void) {
        for member in object where !(prefix.isEmpty && member.key == "_attachments") {
            let name = prefix + member.key
            switch member.value {
            case .object(let inner): forEachCell(inner, prefix: name + ".", body: body)
            case .string(let text): body(name, text)
            case .null: body(name, "")
            case .bool, .number: body(name, member.value.description)
            case .array(let elements):
                let texts = elements.compactMap(\.stringValue)
                body(name, texts.count == elements.count ? texts.joined(separator: "; ") : member.value.description)
            }
        }
    }
}
