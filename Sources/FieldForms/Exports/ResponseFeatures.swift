import DocumentValues
import FieldModels
import FieldRecords
import FormLogic
import Foundation

/// Filled forms as the features of a map.
struct ResponseFeatures {
    private let export: ResponseExport

    init(_ export: ResponseExport) { self.export = export }

    func write(_ ids: [String], to report: inout ResponseExport.Report) throws {
        let locations = try self.locations()
        let name = export.loaded.form.id.text.fileName + ".geojson"
        let file = try export.folder.newFile(name)
        try file.write(contentsOf: Data(#"{"type":"FeatureCollection","features":["#.utf8))
        var rows = 0
        for id in ids {
            guard let response = try export.response(id) else {
                report.leftOut.append(id)
                continue
            }
            let feature = feature(response, locations: locations, number: rows + 1)
            try file.write(contentsOf: Data((rows == 0 ? "\n" : ",\n").utf8) + Data(feature.bytes))
            rows += 1
        }
        try file.write(contentsOf: Data("\n]}\n".utf8))
        try file.close()
        report.files.append(ResponseExport.Report.File(name: name, rows: rows))
    }

    /// The questions whose answers are locations on a map: those that were named, or the first one outside repeats.
    ///
    /// - Throws: `FormFillingError` for a name of none.
    private func locations() throws -> [ExportLayout.Leaf] {
        let known = export.layout.tables[0].leaves.filter { leaf in
            switch leaf.type {
            case .plain(.geopoint), .plain(.geotrace), .plain(.geoshape), .plain(.startGeopoint),
                .plain(.backgroundGeopoint):
                true
            case .plain, .select: false
            }
        }
        guard !export.options.geoFields.isEmpty else { return Array(known.prefix(1)) }
        return try export.options.geoFields.map { field in
            let found = known.first { leaf in
                leaf.path.map(\.text).joined(separator: "/").isExactly(field.text) || leaf.path.last == field
            }
            guard let found else {
                let names = known.map { $0.path.map(\.text).joined(separator: "/") }.joined(separator: ", ")
                let hint = names.isEmpty ? "The form asks for none outside repeats." : "There are: \(names)."
                throw FormFillingError(
                    .path("'\(field.text.printableLine)' is no question for a place. \(hint)"), subject: field.text)
            }
            return found
        }
    }

    private func feature(_ response: Response, locations: [ExportLayout.Leaf], number: Int) -> JSONObject {
        let geometries = locations.compactMap { leaf in
            leaf.answer(in: response.answers).flatMap { Self.geometry(of: $0, as: leaf.type) }
        }
        let geometry: JSONValue =
            switch geometries.count {
            case 0: .null
            case 1: .object(geometries[0])
            default: ["type": "GeometryCollection", "geometries": .array(geometries.map { .object($0) })]
            }
        return [
            "type": "Feature", "id": .string(response.instanceID), "geometry": geometry,
            "properties": .object(properties(of: response, number: number)),
        ]
    }

    /// The columns of the table of records.
    private func properties(of response: Response, number: Int) -> JSONObject {
        let columns = ExportColumns(options: export.options, form: export.loaded.form, seen: [:])
        let row = ExportedRow(response: response, files: (0, 0), number: number)
        var members = [JSONObject.Member(key: "SubmissionDate", value: .string(row.submitted ?? ""))]
        for leaf in export.layout.tables[0].leaves {
            let answer = leaf.answer(in: response.answers)
            members += columns.columns(of: leaf).map { .init(key: $0.heading, value: .string($0.text(answer))) }
        }
        members += [
            .init(key: "meta-instanceID", value: .string(response.instanceID)),
            .init(key: "meta-instanceName", value: .string(response.instanceName ?? "")),
        ]
        return JSONObject(
            members: members
                + zip(ExportedRow.centralHeadings, row.centralCells).map { .init(key: $0, value: .string($1)) })
    }

    private static func geometry(of answer: Answer, as type: QuestionType) -> JSONObject? {
        switch answer {
        case .point(let point): ["type": "Point", "coordinates": coordinates(point)]
        case .points(let points) where type == .plain(.geoshape):
            ["type": "Polygon", "coordinates": .array([.array(points.map(coordinates))])]
        case .points(let points): ["type": "LineString", "coordinates": .array(points.map(coordinates))]
        case .text, .number, .boolean, .date, .time, .dateTime, .names, .file: nil
        }
    }

    /// An altitude of 0 is an unknown one.
    private static func coordinates(_ point: GeoPoint) -> JSONValue {
        let flat = [point.longitude, point.latitude]
        return .array((flat + (point.altitude == 0 ? [] : [point.altitude])).map { .number(JSONNumber($0)) })
    }
}
