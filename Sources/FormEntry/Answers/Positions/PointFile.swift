import DocumentValues
import FormLogic

/// The points of a file: GPX, KML, GeoJSON, or a line `lat lon` each.
package enum PointFile {
    /// The points of the only line in the file, or those that are in none.
    ///
    /// - Parameter name: of the file, for messages.
    package static func read(_ bytes: [UInt8], name: Name) -> Result<[GeoPoint], AnswerRefusal> {
        Result { () throws(AnswerRefusal) in try points(bytes) }.mapError { $0.inFile(name) }
    }

    private static func points(_ bytes: [UInt8]) throws(AnswerRefusal) -> [GeoPoint] {
        guard bytes.count <= EntryLimits.pointFile else { throw .fileTooLarge }
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        let lines: FileLines
        switch content.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
        case UInt8(ascii: "{")?: lines = try GeoJSONLines(Array(content)).lines
        case UInt8(ascii: "<")?: lines = try MarkupLines.read(content)
        default: lines = FileLines(single: try textPoints(content))
        }
        let all = lines.lines.filter { !$0.isEmpty }
        guard all.count <= 1 else { throw .severalLines(all.count) }
        let points = all.first ?? lines.single
        guard !points.isEmpty else { throw .noLine }
        return points
    }

    /// A point a line, the latitude first.
    private static func textPoints(_ bytes: ArraySlice<UInt8>) throws(AnswerRefusal) -> [GeoPoint] {
        var points: [GeoPoint] = []
        for (number, line) in try lines(bytes).enumerated() where !line.isEmpty {
            guard points.count < EntryLimits.points else { throw .tooManyPoints }
            do throws(AnswerRefusal) {
                let typed = try PositionReader.read(line)
                guard !typed.isSwapped else { throw .longitudeFirst }
                points.append(typed.point)
            } catch {
                throw error.inLine(number + 1)
            }
        }
        return points
    }

    /// Trimmed, empty for comments and for a heading such as `lat,lon`.
    private static func lines(_ bytes: ArraySlice<UInt8>) throws(AnswerRefusal) -> [String] {
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else { throw .fileOfOtherKind }
        var isFirst = true
        return text.split(atByte: "\n", omittingEmptySubsequences: false).map { line in
            let plain = line.trimmingSpaces
            if plain.isEmpty { return "" }
            defer { isFirst = false }
            let isHeading = isFirst && !plain.utf8.contains { (0x30...0x39).contains($0) }
            return isHeading || plain.utf8.first == UInt8(ascii: "#") ? "" : plain
        }
    }
}

/// What a file has: lines, and points that are in none.
struct FileLines: Sendable {
    var lines: [[GeoPoint]] = []
    var single: [GeoPoint] = []

    /// - Throws: `AnswerRefusal` where there are no numbers, or those of no position.
    static func point(latitude: Double?, longitude: Double?, altitude: Double?) throws(AnswerRefusal) -> GeoPoint {
        guard let latitude, let longitude else { throw .noPositionInFile }
        return try TypedPosition(latitude: latitude, longitude: longitude, altitude: altitude ?? 0).point
    }

    /// A number of a file: in digits of ASCII, perhaps with an exponent.
    static func number(_ text: some StringProtocol) -> Double? {
        let digits = String(text).trimmingSpaces
        let isPlain = digits.utf8.allSatisfy {
            (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0)
        }
        guard isPlain, digits.utf8.count <= 40, let number = Double(digits), number.isFinite else { return nil }
        return number
    }
}
