import DocumentValues

/// A parameter that a type of question has.
struct ParameterRule: Sendable {
    enum Value: Sendable, Hashable {
        case text, number, wholeNumber, truth, numberOrReference
        case one([Name])

        var wording: String {
            switch self {
            case .text: "a text"
            case .number: "a number"
            case .wholeNumber: "a whole number"
            case .truth: "'true' or 'false'"
            case .numberOrReference: "a number or ${question}"
            case .one(let names): names.map { "'\($0.text)'" }.joined(separator: " or ")
            }
        }

        func takes(_ text: String) -> Bool {
            switch self {
            case .text: !text.isEmpty
            case .number: ParameterRule.number(text) != nil
            case .wholeNumber: ParameterRule.number(text).map { $0 == $0.rounded() && $0 > 0 } ?? false
            case .truth: ["true", "false", "yes", "no"].contains(text.lowercased())
            case .numberOrReference:
                ParameterRule.number(text) != nil || (text.hasPrefix("${") && text.hasSuffix("}"))
            case .one(let names): names.contains(Name(text.lowercased()))
            }
        }
    }

    let name: Name
    let value: Value
    /// Whether it has a meaning in a terminal.
    var isObeyed = true

    static func rules(of type: QuestionType?) -> [ParameterRule] {
        switch type {
        case .select(_, let source)?: selects(source)
        case .plain(let type)?: plain(type)
        case nil: []
        }
    }

    private static func selects(_ source: QuestionType.ChoiceSource) -> [ParameterRule] {
        let random = [
            ParameterRule(name: "randomize", value: .truth), ParameterRule(name: "seed", value: .numberOrReference),
        ]
        guard case .file = source else { return random }
        return random + [ParameterRule(name: "value", value: .text), ParameterRule(name: "label", value: .text)]
    }

    private static func plain(_ type: QuestionType.PlainType) -> [ParameterRule] {
        switch type {
        case .range:
            ["start", "end", "step", "tick_interval"].map { ParameterRule(name: $0, value: .number) }
                + ["placeholder", "tick_labelset"].map { ParameterRule(name: $0, value: .text) }
        case .text: [ParameterRule(name: "rows", value: .wholeNumber)]
        case .image:
            [
                ParameterRule(name: "max-pixels", value: .wholeNumber, isObeyed: false),
                ParameterRule(name: "app", value: .text, isObeyed: false),
            ]
        case .audio: [ParameterRule(name: "quality", value: .text, isObeyed: false)]
        case .geopoint:
            [
                ParameterRule(name: "capture-accuracy", value: .number),
                ParameterRule(name: "warning-accuracy", value: .number),
                ParameterRule(name: "allow-mock-accuracy", value: .truth, isObeyed: false),
            ]
        case .geotrace, .geoshape:
            [
                ParameterRule(name: "incremental", value: .truth, isObeyed: false),
                ParameterRule(name: "allow-mock-accuracy", value: .truth, isObeyed: false),
                ParameterRule(name: "reference-geometry", value: .text, isObeyed: false),
            ]
        case .audit: audit
        case .integer, .decimal, .date, .time, .dateTime, .video, .file, .barcode, .note, .acknowledge, .calculate,
            .hidden, .start, .end, .today, .deviceid, .username, .email, .phonenumber, .uriDeviceid, .uriUsername,
            .uriEmail, .uriPhonenumber, .subscriberid, .simserial, .startGeopoint, .backgroundGeopoint, .csvExternal,
            .xmlExternal:
            []
        }
    }

    private static let audit = [
        ParameterRule(name: "track-changes", value: .truth),
        ParameterRule(name: "track-changes-reasons", value: .one(["on-form-edit"])),
        ParameterRule(name: "identify-user", value: .truth),
        ParameterRule(name: "location-priority", value: .text, isObeyed: false),
        ParameterRule(name: "location-min-interval", value: .number, isObeyed: false),
        ParameterRule(name: "location-max-age", value: .number, isObeyed: false),
    ]

    /// As authors write numbers: a sign, digits, a point.
    static func number(_ text: String) -> Double? {
        let bytes = text.utf8
        let isPlain = bytes.allSatisfy { byte in
            (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        }
        return isPlain && bytes.count <= 40 ? Double(text) : nil
    }
}
