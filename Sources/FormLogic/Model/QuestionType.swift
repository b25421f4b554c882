import DocumentValues

/// What a question asks for.
package enum QuestionType: Sendable, Hashable {
    case plain(PlainType)
    case select(SelectKind, from: ChoiceSource)

    /// The types without a list, by the name that a definition has for each.
    package enum PlainType: String, Sendable, CaseIterable {
        case text, integer, decimal, range
        case date, time, dateTime
        case geopoint, geotrace, geoshape
        case image, audio, video, file
        case barcode, note, acknowledge, calculate, hidden
        case start, end, today
        case deviceid, username, email, phonenumber
        case uriDeviceid = "uri:deviceid"
        case uriUsername = "uri:username"
        case uriEmail = "uri:email"
        case uriPhonenumber = "uri:phonenumber"
        case subscriberid, simserial
        case startGeopoint = "start-geopoint"
        case backgroundGeopoint = "background-geopoint"
        case audit
        case csvExternal = "csv-external"
        case xmlExternal = "xml-external"
    }

    package enum SelectKind: String, Sendable, CaseIterable {
        case one = "select_one"
        case multiple = "select_multiple"
        case rank
    }

    /// Where the choices of a select come from.
    package enum ChoiceSource: Sendable, Hashable {
        case list(Name)
        /// A file's name with its ending: `towns.csv`.
        case file(Name)
        /// A list of the sheet `external_choices`.
        case external(Name)
        /// The answers to a question in a repeat.
        case answers(Name)
    }

    package static let text = QuestionType.plain(.text)

    /// What a definition calls it: `select_one_from_file`.
    package var typeName: String {
        switch self {
        case .plain(let type): type.rawValue
        case .select(let kind, .list), .select(let kind, .answers): kind.rawValue
        case .select(let kind, .file): kind.rawValue + "_from_file"
        case .select(let kind, .external): kind.rawValue + "_external"
        }
    }

    /// Whether a person sees it: shows or asks something.
    package var isVisible: Bool {
        switch self {
        case .select: true
        case .plain(let type): type.isVisible
        }
    }
}

extension QuestionType.PlainType {
    package var isVisible: Bool {
        switch self {
        case .text, .integer, .decimal, .range, .date, .time, .dateTime, .geopoint, .geotrace, .geoshape, .image,
            .audio,
            .video, .file, .barcode, .note, .acknowledge:
            true
        case .calculate, .hidden, .start, .end, .today, .deviceid, .username, .email, .phonenumber, .uriDeviceid,
            .uriUsername, .uriEmail, .uriPhonenumber, .subscriberid, .simserial, .startGeopoint, .backgroundGeopoint,
            .audit, .csvExternal, .xmlExternal:
            false
        }
    }

    /// Whether it only declares a file, and has no answer.
    package var isDeclaration: Bool { self == .csvExternal || self == .xmlExternal }
}
