import DocumentValues

extension Answer {
    /// As a record stores it.
    package var json: JSONValue {
        switch self {
        case .number(let number): .number(JSONNumber(number))
        case .boolean(let boolean): .bool(boolean)
        case .names(let names): .array(names.map { .string($0.text) })
        case .point(let point): point.json
        case .points(let points): .array(points.map(\.json))
        case .file(let file): file.json
        case .text, .date, .time, .dateTime: .string(text)
        }
    }

    /// Reads what a record stores for a question of this type; `nil` for a value that the type does not have.
    package init?(_ json: JSONValue, type: QuestionType) {
        let answer: Answer? =
            switch type {
            case .select(.one, _): Self.plainText(json)
            case .select(.multiple, _), .select(.rank, _): Self.names(json)
            case .plain(let type): Self.plain(json, type: type)
            }
        guard let answer else { return nil }
        self = answer
    }

    private static func plain(_ json: JSONValue, type: QuestionType.PlainType) -> Answer? {
        switch type {
        case .integer: json.integerValue.flatMap { Int32(exactly: $0) }.map { .number(Double($0)) }
        case .decimal, .range: finite(json)
        case .date, .today:
            json.stringValue.flatMap { try? MomentText.parse($0) }.flatMap {
                $0.milliseconds == nil ? .date($0.day) : nil
            }
        case .time: json.stringValue.flatMap { MomentText.time($0) }.map { .time($0) }
        case .dateTime, .start, .end: json.stringValue.flatMap { StoredDateTime($0) }.map { .dateTime($0) }
        case .geopoint, .startGeopoint, .backgroundGeopoint: GeoPoint(json: json).map { .point($0) }
        case .geotrace: points(json, atLeast: 2)
        case .geoshape: points(json, atLeast: 4)
        case .image, .audio, .video, .file: AnsweredFile(json).map { .file($0) }
        case .calculate: calculated(json)
        case .text, .barcode, .note, .acknowledge, .hidden, .deviceid, .username, .email, .phonenumber, .uriDeviceid,
            .uriUsername, .uriEmail, .uriPhonenumber, .subscriberid, .simserial, .audit:
            plainText(json)
        case .csvExternal, .xmlExternal: nil
        }
    }

    private static func finite(_ json: JSONValue) -> Answer? {
        guard let number = json.doubleValue, number.isFinite else { return nil }
        return .number(number)
    }

    /// A calculation may store a number or a boolean in a question for texts.
    private static func plainText(_ json: JSONValue) -> Answer? {
        switch json {
        case .string(let text): text.isEmpty ? nil : .text(text)
        case .number: finite(json)
        case .bool(let boolean): .boolean(boolean)
        case .null, .array, .object: nil
        }
    }

    /// A moment keeps its kind when the draft is opened again.
    private static func calculated(_ json: JSONValue) -> Answer? {
        guard let text = json.stringValue, let stored = StoredDateTime(text), stored.isOurs else {
            return plainText(json)
        }
        return .dateTime(stored)
    }

    private static func names(_ json: JSONValue) -> Answer? {
        guard let names = json.texts?.map({ Name($0) }), !names.isEmpty, Set(names).count == names.count else {
            return nil
        }
        return .names(names)
    }

    private static func points(_ json: JSONValue, atLeast least: Int) -> Answer? {
        guard let elements = json.arrayValue, elements.count >= least else { return nil }
        let points = elements.compactMap { GeoPoint(json: $0) }
        return points.count == elements.count ? .points(points) : nil
    }
}

extension GeoPoint {
    package var json: JSONValue {
        [
            "latitude": .number(JSONNumber(latitude)), "longitude": .number(JSONNumber(longitude)),
            "altitude": .number(JSONNumber(altitude)), "accuracy": .number(JSONNumber(accuracy)),
        ]
    }

    package init?(json: JSONValue) {
        guard let latitude = json["latitude"]?.doubleValue, let longitude = json["longitude"]?.doubleValue,
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        let (altitude, accuracy) = (json["altitude"]?.doubleValue ?? 0, json["accuracy"]?.doubleValue ?? 0)
        guard altitude.isFinite, accuracy.isFinite else { return nil }
        self.init(latitude: latitude, longitude: longitude, altitude: altitude, accuracy: accuracy)
    }
}

extension AnsweredFile {
    fileprivate init?(_ json: JSONValue) {
        guard let name = json["name"]?.stringValue, !name.isEmpty else { return nil }
        self.init(name: Name(name), blob: json["blob"])
    }

    fileprivate var json: JSONValue {
        var object: JSONObject = ["name": .string(name.text)]
        if let blob { object["blob"] = blob }
        return .object(object)
    }
}
