import FieldModels

/// In the notes a report is one object without parts: other versions of the program write and read it so.
extension SyncReport: Codable {
    private enum CodingKeys: String, CodingKey {
        case failures
        case sentPhotos
        case receivedPhotos
        case absentPhotos
        case unnamed
        case secondsAhead
        case lacking
        case unnotedBecause
        case milliseconds
        case end
        case by
    }

    public init(from decoder: any Decoder) throws {
        counts = try Counts(from: decoder)
        records = try Records(from: decoder)
        waiting = try Waiting(from: decoder)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        failures = try values.decode([Failure].self, forKey: .failures)
        sentPhotos = try values.decode(Photos.self, forKey: .sentPhotos)
        receivedPhotos = try values.decode(Photos.self, forKey: .receivedPhotos)
        absentPhotos = try values.decodeIfPresent(Int.self, forKey: .absentPhotos) ?? 0
        unnamed = try values.decode(Unnamed.self, forKey: .unnamed)
        secondsAhead = try values.decodeIfPresent(Int64.self, forKey: .secondsAhead)
        lacking = try values.decodeIfPresent([RecordKind].self, forKey: .lacking) ?? []
        unnotedBecause = try values.decodeIfPresent(String.self, forKey: .unnotedBecause)
        milliseconds = try values.decode(Int.self, forKey: .milliseconds)
        end = try values.decode(End.self, forKey: .end)
        by = try values.decode(Performer.self, forKey: .by)
    }

    public func encode(to encoder: any Encoder) throws {
        try counts.encode(to: encoder)
        try records.encode(to: encoder)
        try waiting.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(failures, forKey: .failures)
        try values.encode(sentPhotos, forKey: .sentPhotos)
        try values.encode(receivedPhotos, forKey: .receivedPhotos)
        if absentPhotos > 0 { try values.encode(absentPhotos, forKey: .absentPhotos) }
        try values.encode(unnamed, forKey: .unnamed)
        try values.encodeIfPresent(secondsAhead, forKey: .secondsAhead)
        if !lacking.isEmpty { try values.encode(lacking, forKey: .lacking) }
        try values.encodeIfPresent(unnotedBecause, forKey: .unnotedBecause)
        try values.encode(milliseconds, forKey: .milliseconds)
        try values.encode(end, forKey: .end)
        try values.encode(by, forKey: .by)
    }
}
