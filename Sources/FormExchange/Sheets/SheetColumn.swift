import DocumentValues

/// The columns that a sheet may have, by the names that we give them.
protocol SheetColumn: RawRepresentable<String>, Hashable, Sendable, CaseIterable {
    /// Other names, in lower case with `_` between.
    static var aliases: [Name: Self] { get }
    /// Beginnings of columns of other programs, which are read over without a note.
    static var foreign: [String] { get }
    /// Whether all other columns are data.
    static var keepsOthers: Bool { get }
    /// Whether it may come once a language.
    var isTranslated: Bool { get }
}

extension SheetColumn {
    static var foreign: [String] { [] }
    static var keepsOthers: Bool { false }
    var isTranslated: Bool { false }

    /// The column of a header, in any case and with spaces.
    static func named(_ header: String) -> Self? {
        let key = Name(normalized(header))
        return allCases.first { normalized($0.rawValue) == key.text } ?? aliases[key]
    }

    private static func normalized(_ header: String) -> String {
        header.lowercased().split(atByte: " ").joined(separator: "_")
    }
}

enum SurveyColumn: String, SheetColumn {
    case type, name, label, hint
    case guidanceHint = "guidance_hint"
    case required
    case requiredMessage = "required_message"
    case constraint
    case constraintMessage = "constraint_message"
    case relevant
    case readOnly = "read_only"
    case calculation
    case defaultValue = "default"
    case trigger
    case choiceFilter = "choice_filter"
    case repeatCount = "repeat_count"
    case appearance, parameters
    case image
    case bigImage = "big-image"
    case audio, video, autoplay, rows
    case saveTo = "save_to"
    case disabled

    static let aliases: [Name: SurveyColumn] = [
        "command": .type, "tag": .name, "value": .name, "caption": .label, "requiredmsg": .requiredMessage,
        "jr:requiredmsg": .requiredMessage, "constraining_message": .constraintMessage,
        "jr:constraintmsg": .constraintMessage, "relevance": .relevant, "readonly": .readOnly,
        "calculate": .calculation, "count": .repeatCount, "jr:count": .repeatCount, "entities:saveto": .saveTo,
    ]

    static let foreign = [
        "intent", "sms_", "compact_tag", "no_app_error_string", "$", "kobo--", "hxl", "tags", "_", "noapperrorstring",
    ]

    var isTranslated: Bool {
        switch self {
        case .label, .hint, .guidanceHint, .requiredMessage, .constraintMessage, .image, .bigImage, .audio, .video: true
        case .type, .name, .required, .constraint, .relevant, .readOnly, .calculation, .defaultValue, .trigger,
            .choiceFilter, .repeatCount, .appearance, .parameters, .autoplay, .rows, .saveTo, .disabled:
            false
        }
    }
}

enum ChoicesColumn: String, SheetColumn {
    case listName = "list_name"
    case name, label, image
    case bigImage = "big-image"
    case audio, video

    static let aliases: [Name: ChoicesColumn] = ["value": .name, "caption": .label]
    static let keepsOthers = true

    var isTranslated: Bool {
        switch self {
        case .label, .image, .bigImage, .audio, .video: true
        case .listName, .name: false
        }
    }
}

enum SettingsColumn: String, SheetColumn {
    case formID = "form_id"
    case formTitle = "form_title"
    /// Ours: elsewhere a title is in one language, and pyxform ends with an error at `form_title::English`.
    case translatedTitle = "translated_title"
    case version
    case instanceName = "instance_name"
    case defaultLanguage = "default_language"
    case name, style
    case publicKey = "public_key"
    case submissionURL = "submission_url"
    case autoSend = "auto_send"
    case autoDelete = "auto_delete"
    case allowChoiceDuplicates = "allow_choice_duplicates"
    case clientEditable = "client_editable"
    case omitInstanceID = "omit_instanceID"
    case instanceID = "instance_id"
    case cleanTextValues = "clean_text_values"
    case namespaces, prefix
    case addNoneOption = "add_none_option"

    static let aliases: [Name: SettingsColumn] = [
        "id_string": .formID, "set_form_id": .formID, "title": .formTitle, "set_form_title": .formTitle,
    ]

    static let foreign = ["sms_", "kobo--", "$", "_"]

    var isTranslated: Bool { self == .formTitle || self == .translatedTitle }

    /// Whether it is kept as it is, and means nothing here.
    var isOnlyKept: Bool {
        switch self {
        case .submissionURL, .autoSend, .autoDelete, .instanceID, .namespaces, .prefix, .addNoneOption:
            true
        case .formID, .formTitle, .translatedTitle, .version, .instanceName, .defaultLanguage, .name, .style,
            .publicKey, .allowChoiceDuplicates, .clientEditable, .omitInstanceID, .cleanTextValues:
            false
        }
    }
}

enum EntitiesColumn: String, SheetColumn {
    case listName = "list_name"
    case label
    case entityID = "entity_id"
    case createIf = "create_if"
    case updateIf = "update_if"
    case `repeat`

    static let aliases: [Name: EntitiesColumn] = ["dataset": .listName]
}
