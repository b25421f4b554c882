import DocumentValues
import Foundation

/// The columns of a CSV file (RFC 4180), which come from the documents themselves: one for each member, those of inner
/// objects with dotted names, in the order in which they first appear. Members for which a table has no column are
/// together in the last one, `_other`, as a JSON object.
struct TableColumns {
    private static let own: [Name] = ["_id", "_rev"]
    private static let other: Name = "_other"
    private var columns = CommonColumns()
    /// Whether a document has a member for which there is no column, however few there are.
    private var hasLeftover = false

    mutating func add(_ document: JSONObject) {
        var names: Set<Name> = []
        var ordered: [Name] = []
        Self.forEachCell(document) { cell in
            // A member may have the name of the last column, and one with a dot in its name may look like an inner
            // member.
            if cell.name == Self.other || !names.insert(cell.name).inserted {
                hasLeftover = true
            } else {
                ordered.append(cell.name)
            }
        }
        columns.count(ordered.lazy.filter { !Self.own.contains($0) })
    }

    /// Reads the lines again, since the columns are only known at the end.
    func write(lines: URL, to file: URL) throws {
        let output = try GatewayExportFolder.newFile(file)
        guard let input = try? FileHandle(forReadingFrom: lines) else {
            throw AdminError(.file, problem: "\(lines.path) cannot be read")
        }
        let names = Self.own + columns.chosen
        let hasOthers = columns.isCut || hasLeftover
        let positions = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        do {
            try output.write(contentsOf: Self.row(names.map(\.text) + (hasOthers ? [Self.other.text] : [])))
            var rest = Data()
            while let piece = try input.read(upToCount: 1 << 20), !piece.isEmpty {
                rest += piece
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    try output.write(
                        contentsOf: Self.row(Array(rest[..<end]), positions: positions, hasOthers: hasOthers))
                    rest = rest[rest.index(after: end)...]
                }
            }
            try output.close()
            try input.close()
        } catch {
            throw AdminError(.file, problem: "\(file.path) cannot be written: \(error.localizedDescription)")
        }
    }

    private static func row(_ line: [UInt8], positions: [Name: Int], hasOthers: Bool) throws -> Data {
        var cells = [String?](repeating: nil, count: positions.count)
        var others: [JSONObject.Member] = []
        forEachCell(try JSONObject(parsing: line)) { cell in
            if let position = positions[cell.name], cells[position] == nil {
                cells[position] = text(of: cell.value)
            } else {
                others.append(JSONObject.Member(key: cell.name.text, value: cell.value))
            }
        }
        if hasOthers { cells.append(others.isEmpty ? nil : JSONObject(members: others).description) }
        return row(cells.map { $0 ?? "" })
    }

    private static func row(_ cells: [String]) -> Data {
        var writer = CSVWriter()
        writer.append(cells)
        return Data(writer.bytes)
    }

    private typealias Cell = (name: Name, value: JSONValue)

    private static func forEachCell(_ object: JSONObject, prefix: String = "", body: (Cell) -> Void) {
        for member in object where !(prefix.isEmpty && member.key.isExactly("_attachments")) {
            let name = prefix + member.key
            // Each inner member would repeat a long name in front of its own.
            if let inner = member.value.objectValue, name.utf8.count <= CommonColumns.longestName {
                forEachCell(inner, prefix: name + ".", body: body)
            } else {
                body((Name(name), member.value))
            }
        }
    }

    private static func text(of value: JSONValue) -> String {
        switch value {
        case .string(let text): return text
        case .null: return ""
        case .bool, .number, .object: return value.description
        case .array(let elements):
            let texts = elements.compactMap(\.stringValue)
            return texts.count == elements.count ? texts.joined(separator: "; ") : value.description
        }
    }
}
