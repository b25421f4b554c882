import FieldRecords

/// In the notes that other versions of the program write and read, too.
extension ServiceState: Codable {
    private enum CodingKeys: String, CodingKey {
        case activity
        case completed
        case total
        case why
        case advice
        case refused
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(Activity.self, forKey: .activity),
            completed: try values.decode(UInt64.self, forKey: .completed),
            total: try values.decode(UInt64.self, forKey: .total),
            why: try values.decodeTextIfPresent(forKey: .why, advice: .advice),
            refused: try values.decodeIfPresent(Int.self, forKey: .refused))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(activity, forKey: .activity)
        try values.encode(completed, forKey: .completed)
        try values.encode(total, forKey: .total)
        try values.encodeIfPresent(why, forKey: .why, advice: .advice)
        try values.encodeIfPresent(refused, forKey: .refused)
    }
}
