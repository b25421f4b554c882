import DocumentValues
import FormLogic

/// Writes the bind of a node, and the actions that give it a first value.
struct BindWriter {
    let context: ExportContext
    let texts: ExportTexts

    func write(_ spot: ExportContext.Spot, to markup: inout MarkupWriter) {
        let node = spot.node
        var attributes: [(String, String?)] = [("nodeset", spot.path.text)]
        attributes += Self.type(of: node)
        func expression(_ text: String?) -> String? { text.map { context.expression($0, at: spot.path) } }
        attributes += [
            ("entities:saveto", node.saveTo),
            ("readonly", isFixed(spot) ? "true()" : expression(node.readOnly)), ("required", expression(node.required)),
            ("relevant", expression(node.relevant)), ("constraint", expression(node.constraint)),
            ("calculate", node.trigger.isEmpty ? expression(node.calculation) : nil),
            ("jr:constraintMsg", message(node.constraintMessage, part: "jr:constraintMsg", at: spot.path)),
            ("jr:requiredMsg", message(node.requiredMessage, part: "jr:requiredMsg", at: spot.path)),
        ]
        for parameter in node.parameters {
            guard let name = Self.attributes[parameter.name] else { continue }
            attributes.append((name, parameter.text))
        }
        let isNeeded = node.type != nil || attributes.dropFirst().contains { $0.1 != nil }
        if isNeeded, node.type?.isFile != true { markup.element("bind", attributes: attributes) }
        writeFirstValue(of: spot, to: &markup)
    }

    private func isFixed(_ spot: ExportContext.Spot) -> Bool {
        spot.node.type == .plain(.note) || context.counts.contains(spot.path)
    }

    private func message(_ text: FormText?, part: String, at path: XFormPath) -> String? {
        text.map { texts.reference(part, at: path) ?? $0.single(context.form) }
    }

    private static let attributes: [Name: String] = [
        "max-pixels": "orx:max-pixels", "track-changes": "odk:track-changes",
        "track-changes-reasons": "odk:track-changes-reasons", "identify-user": "odk:identify-user",
        "location-priority": "odk:location-priority", "location-min-interval": "odk:location-min-interval",
        "location-max-age": "odk:location-max-age", "quality": "odk:quality",
        "allow-mock-accuracy": "odk:allow-mock-accuracy",
    ]

    private func writeFirstValue(of spot: ExportContext.Spot, to markup: inout MarkupWriter) {
        let path = spot.path.text
        if spot.node.type == .plain(.startGeopoint) {
            markup.element("odk:setgeopoint", with: ["ref": path, "event": "odk-instance-first-load"])
        }
        guard let text = spot.node.defaultValue, spot.node.hasDynamicDefault else { return }
        markup.element(
            "setvalue",
            with: ["ref": path, "event": "odk-instance-first-load", "value": context.expression(text, at: spot.path)])
    }

    /// The type, and what fills the node.
    static func type(of node: FormNode) -> [(String, String?)] {
        switch node.type {
        case nil: []
        case .select(.rank, _)?: [("type", "odk:rank")]
        case .select?: [("type", "string")]
        case .plain(let type)?: attributes(of: type, node: node)
        }
    }

    private static func attributes(of type: QuestionType.PlainType, node: FormNode) -> [(String, String?)] {
        switch type {
        case .text, .note, .calculate, .hidden, .acknowledge: [("type", "string")]
        case .integer: [("type", "int")]
        case .range: [("type", isWhole(node) ? "int" : "decimal")]
        case .decimal, .date, .time, .dateTime, .geopoint, .geotrace, .geoshape, .barcode: [("type", type.rawValue)]
        case .image, .audio, .video, .file, .audit: [("type", "binary")]
        case .start, .end: preload("timestamp", parameter: type.rawValue, type: "dateTime")
        case .today: preload("date", parameter: "today", type: "date")
        case .deviceid, .username, .email, .phonenumber, .uriDeviceid, .uriUsername, .uriEmail, .uriPhonenumber,
            .subscriberid, .simserial:
            preload("property", parameter: type.rawValue, type: "string")
        case .startGeopoint, .backgroundGeopoint: [("type", "geopoint")]
        case .csvExternal, .xmlExternal: []
        }
    }

    private static func preload(_ kind: String, parameter: String, type: String) -> [(String, String?)] {
        [("jr:preload", kind), ("type", type), ("jr:preloadParams", parameter)]
    }

    private static func isWhole(_ node: FormNode) -> Bool {
        ["start", "end", "step"].allSatisfy { node.parameters[Name($0)].map { Int($0) != nil } ?? true }
    }
}

extension QuestionType {
    /// Whether it only declares a file.
    var isFile: Bool { self == .plain(.csvExternal) || self == .plain(.xmlExternal) }
}
