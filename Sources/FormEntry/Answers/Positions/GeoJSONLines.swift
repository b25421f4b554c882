import DocumentValues
import FormLogic

/// The lines of a GeoJSON text: geometries, features and collections of them.
struct GeoJSONLines {
    private(set) var lines = FileLines()
    private var count = 0

    /// - Throws: `AnswerRefusal` where the text is no JSON, or has positions that are none.
    init(_ bytes: [UInt8]) throws(AnswerRefusal) {
        guard let json = try? JSONValue(parsing: bytes) else { throw .fileOfOtherKind }
        try add(json)
    }

    private mutating func add(_ json: JSONValue) throws(AnswerRefusal) {
        let coordinates = json["coordinates"]
        switch json["type"]?.stringValue.map({ Name($0) }) {
        case "FeatureCollection": for feature in json["features"]?.arrayValue ?? [] { try add(feature) }
        case "GeometryCollection": for geometry in json["geometries"]?.arrayValue ?? [] { try add(geometry) }
        case "Feature": if let geometry = json["geometry"] { try add(geometry) }
        case "LineString": try addLine(coordinates)
        case "MultiLineString": for line in coordinates?.arrayValue ?? [] { try addLine(line) }
        // The other rings of a polygon are holes.
        case "Polygon": try addLine(coordinates?.arrayValue?.first)
        case "MultiPolygon": for polygon in coordinates?.arrayValue ?? [] { try addLine(polygon.arrayValue?.first) }
        case "Point": lines.single.append(try point(coordinates))
        case "MultiPoint": for one in coordinates?.arrayValue ?? [] { lines.single.append(try point(one)) }
        default: break
        }
    }

    private mutating func addLine(_ json: JSONValue?) throws(AnswerRefusal) {
        var points: [GeoPoint] = []
        for position in json?.arrayValue ?? [] { points.append(try point(position)) }
        lines.lines.append(points)
    }

    /// Longitude, latitude, perhaps an altitude.
    private mutating func point(_ json: JSONValue?) throws(AnswerRefusal) -> GeoPoint {
        count += 1
        guard count <= EntryLimits.points else { throw .tooManyPoints }
        let numbers = json?.arrayValue?.prefix(3).map { $0.doubleValue } ?? []
        guard numbers.count >= 2 else { throw .noPositionInFile }
        return try FileLines.point(
            latitude: numbers[1], longitude: numbers[0], altitude: numbers.count > 2 ? numbers[2] : nil)
    }
}
