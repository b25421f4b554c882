import DocumentValues
import FormLogic

/// Types of questions by the bind and the control of a node.
enum XFormTypes {
    /// Of a question that is shown, but for selects.
    static func type(ofControl control: MarkupElement, bind: String) -> QuestionType.PlainType {
        switch control.local {
        case "trigger": .acknowledge
        case "range": .range
        case "upload": upload(control["mediatype"] ?? "")
        default: input(bind)
        }
    }

    private static func upload(_ mediaType: String) -> QuestionType.PlainType {
        if mediaType.hasPrefix("image") { return .image }
        if mediaType.hasPrefix("audio") { return .audio }
        return mediaType.hasPrefix("video") ? .video : .file
    }

    private static func input(_ bind: String) -> QuestionType.PlainType {
        switch bind {
        case "int", "integer", "long", "short": .integer
        case "decimal", "double", "float": .decimal
        case "date": .date
        case "time": .time
        case "dateTime": .dateTime
        case "geopoint": .geopoint
        case "geotrace": .geotrace
        case "geoshape": .geoshape
        case "barcode": .barcode
        // `select1` and `select` without choices, `string`, and types that we do not know.
        default: .text
        }
    }

    /// Of a node without a control, by what fills it.
    static func preloaded(_ kind: String, parameter: String) -> QuestionType.PlainType? {
        switch (kind, parameter) {
        case ("timestamp", "start"): .start
        case ("timestamp", "end"): .end
        case ("date", "today"): .today
        case ("property", "deviceid"), ("property", "imei"): .deviceid
        case ("property", "username"): .username
        case ("property", "email"): .email
        case ("property", "phonenumber"), ("property", "phone number"): .phonenumber
        case ("property", "simserial"), ("property", "sim id"): .simserial
        case ("property", "subscriberid"), ("property", "subscriber id"): .subscriberid
        case ("property", "uri:deviceid"): .uriDeviceid
        case ("property", "uri:username"): .uriUsername
        case ("property", "uri:email"): .uriEmail
        case ("property", "uri:phonenumber"): .uriPhonenumber
        default: nil
        }
    }

    /// Attributes of binds and controls by the parameters that they are in a sheet.
    static let parameters: [(attribute: String, parameter: Name)] = [
        ("rows", "rows"), ("accuracyThreshold", "capture-accuracy"),
        ("unacceptableAccuracyThreshold", "warning-accuracy"), ("max-pixels", "max-pixels"),
        ("allow-mock-accuracy", "allow-mock-accuracy"), ("quality", "quality"), ("track-changes", "track-changes"),
        ("track-changes-reasons", "track-changes-reasons"), ("identify-user", "identify-user"),
        ("location-priority", "location-priority"), ("location-min-interval", "location-min-interval"),
        ("location-max-age", "location-max-age"), ("incremental", "incremental"), ("start", "start"), ("end", "end"),
        ("step", "step"), ("tick-interval", "tick_interval"), ("placeholder", "placeholder"),
        ("tick-labelset", "tick_labelset"),
    ]
}
