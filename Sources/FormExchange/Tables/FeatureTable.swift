import DocumentValues
import FormLogic

/// The features of a GeoJSON file as rows: their properties, `id`, and `geometry` in the notation of answers.
enum FeatureTable {
    static func read(_ bytes: [UInt8], file: String) throws(FormFileError) -> TableInstance {
        let object: JSONObject
        do {
            object = try JSONObject(parsing: bytes)
        } catch {
            throw FormFileError(.notAForm("it is no JSON: \(error)"), file: file)
        }
        guard object["type"]?.stringValue == "FeatureCollection", let features = object["features"]?.arrayValue else {
            throw FormFileError(.notAForm("it is no FeatureCollection"), file: file)
        }
        var columns: [Name] = ["id", "geometry"]
        var seen = Set(columns)
        var rows: [[Name: String]] = []
        for feature in features {
            try FileInstance.checkCount(rows.count, file: file)
            let row = Self.row(of: feature)
            for name in row.order where seen.insert(name).inserted { columns.append(name) }
            rows.append(row.cells)
        }
        return TableInstance(columns: columns, rows: rows.map { row in columns.map { row[$0] } })
    }

    private static func row(of feature: JSONValue) -> (order: [Name], cells: [Name: String]) {
        var order: [Name] = []
        var cells: [Name: String] = [:]
        for member in feature["properties"]?.objectValue?.members ?? [] {
            guard let text = text(of: member.value) else { continue }
            order.append(Name(member.key))
            cells[Name(member.key)] = text
        }
        // The feature's own id goes before the property of that name.
        if let id = feature["id"].flatMap({ text(of: $0) }) { cells["id"] = id }
        cells["geometry"] = feature["geometry"].flatMap { geometry($0) }
        return (order, cells)
    }

    private static func text(of value: JSONValue) -> String? {
        switch value {
        case .null, .array, .object: nil
        case .bool(let isTrue): isTrue ? "true" : "false"
        case .number(let number): FormNumberText.canonical(number)
        case .string(let text): text
        }
    }

    /// `52.5 13.4 34.0 0.0`, several points with `;` between them; `nil` for other shapes than points, lines and areas.
    private static func geometry(_ value: JSONValue) -> String? {
        guard let coordinates = value["coordinates"]?.arrayValue else { return nil }
        switch value["type"]?.stringValue ?? "" {
        case "Point": return point(coordinates)
        case "LineString": return line(coordinates)
        // The outer ring alone.
        case "Polygon": return coordinates.first?.arrayValue.flatMap { line($0) }
        default: return nil
        }
    }

    private static func line(_ coordinates: [JSONValue]) -> String? {
        let points = coordinates.compactMap { $0.arrayValue.flatMap { point($0) } }
        return points.isEmpty || points.count < coordinates.count ? nil : points.joined(separator: "; ")
    }

    private static func point(_ coordinates: [JSONValue]) -> String? {
        let numbers = coordinates.compactMap(\.doubleValue)
        guard numbers.count == coordinates.count, numbers.count >= 2 else { return nil }
        return GeoPoint(latitude: numbers[1], longitude: numbers[0], altitude: numbers.count > 2 ? numbers[2] : 0).text
    }
}
