import DocumentValues
import FormLogic

/// The lines of a GPX or KML text.
struct MarkupLines {
    private var lines = FileLines()
    /// The names of the open elements.
    private var open: [Name] = []
    /// The text of the innermost element, where its points are in it.
    private var text = ""
    /// The point of GPX whose altitude may follow.
    private var attributes: [TagScanner.NamedAttribute] = []
    private var altitude: Double?
    /// The line that has begun: a track, a route.
    private var line: [GeoPoint] = []
    private var count = 0

    /// - Throws: `AnswerRefusal` where the text is no XML, or has positions that are none.
    static func read(_ bytes: ArraySlice<UInt8>) throws(AnswerRefusal) -> FileLines {
        var scanner = TagScanner(bytes)
        var reader = MarkupLines()
        while let part = try scanner.next() {
            switch part {
            case .start(let name, let attributes): reader.start(Name(name), attributes: attributes)
            case .text(let text): if reader.wantsText { reader.text += text }
            case .end: try reader.end()
            }
        }
        return reader.lines
    }

    private static let texts: Set<Name> = ["ele", "coordinates", "coord"]
    private static let points: Set<Name> = ["trkpt", "rtept", "wpt"]

    private var wantsText: Bool { open.last.map { Self.texts.contains($0) } ?? false }

    private mutating func start(_ name: Name, attributes: [TagScanner.NamedAttribute]) {
        open.append(name)
        text = ""
        if Self.points.contains(name) {
            self.attributes = attributes
            altitude = nil
        }
    }

    private mutating func end() throws(AnswerRefusal) {
        guard let name = open.popLast() else { return }
        switch name {
        case "ele": altitude = FileLines.number(text)
        case "trkpt", "rtept": line.append(try gpxPoint())
        case "wpt": lines.single.append(try gpxPoint())
        case "coord": line.append(try kmlPoint(text.spacedParts))
        case "coordinates": try endCoordinates()
        case "trk", "rte", "Track":
            lines.lines.append(line)
            line = []
        default: break
        }
        text = ""
    }

    private mutating func gpxPoint() throws(AnswerRefusal) -> GeoPoint {
        try countPoint()
        func number(_ name: Name) -> Double? {
            attributes.first { Name($0.name) == name }.flatMap { FileLines.number($0.value) }
        }
        return try FileLines.point(latitude: number("lat"), longitude: number("lon"), altitude: altitude)
    }

    /// `13.4,52.5,34 13.5,52.6`; of a polygon only the outer ring.
    private mutating func endCoordinates() throws(AnswerRefusal) {
        guard !open.contains("innerBoundaryIs") else { return }
        var points: [GeoPoint] = []
        for part in text.spacedParts { points.append(try kmlPoint(part.split(atByte: ",").map { String($0) })) }
        if open.last == "Point" { lines.single += points } else { lines.lines.append(points) }
    }

    private mutating func kmlPoint(_ parts: [String]) throws(AnswerRefusal) -> GeoPoint {
        try countPoint()
        let numbers = parts.map { FileLines.number($0) }
        guard numbers.count >= 2 else { throw .noPositionInFile }
        return try FileLines.point(
            latitude: numbers[1], longitude: numbers[0], altitude: numbers.count > 2 ? numbers[2] : nil)
    }

    private mutating func countPoint() throws(AnswerRefusal) {
        count += 1
        guard count <= EntryLimits.points else { throw .tooManyPoints }
    }
}
