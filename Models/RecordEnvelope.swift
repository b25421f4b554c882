import DocumentValues

/// The members of every record beside its own fields: its district and channels, and its writers with their times.
public struct RecordEnvelope: Sendable, Hashable {
    /// `nil` only for records that all users see, such as forms.
    public var district: District?
    /// Where the gateway's sync function routes the record to.
    @Exact public var channels: [String]
    @Exact public var createdBy: String?
    public var createdAt: Timestamp?
    /// Who changed it last; absent as long as the record is as it was made or imported.
    @Exact public var changedBy: String? { didSet { rest["changedBy"] = nil } }
    public var changedAt: Timestamp? { didSet { rest["changedAt"] = nil } }
    /// The name of the device on which it was made or changed last.
    @Exact public var device: String? { didSet { rest["device"] = nil } }
    /// The row of a file that the record was made from, where it was.
    public var source: RecordSource?
    /// Members that this version of the program does not know, or that cannot be read. They are kept as they are until
    /// something sets them.
    public var rest: JSONObject
    /// Optional members that could not be read with the record.
    public internal(set) var damage: [FieldProblem] = []
    /// Elements of the record's list of photos that are none.
    var damagedPhotos: [JSONValue] = []

    /// The names of the members that every record has.
    public enum Key: String, MemberKey {
        case type
        case schema
        case district
        case channels
        case createdBy
        case createdAt
        case changedBy
        case changedAt
        case device
        case source
    }

    public init(district: District?, channels: [String]? = nil, source: RecordSource? = nil) {
        self.district = district
        self.channels = channels ?? district.map { [$0.channel] } ?? [Self.everybody]
        self.source = source
        rest = JSONObject()
    }

    /// The channel that every user has.
    public static let everybody = "!"

    /// Moves the record to another district, and out of the channel of the old one.
    public mutating func move(to new: District) {
        let left = [district?.channel, new.channel].compactMap(\.self)
        channels.removeAll { left.containsExactly($0) }
        channels.insert(new.channel, at: 0)
        district = new
    }

    /// Moves the record to another district, but leaves it to the people of the old one, too.
    public mutating func join(_ new: District) {
        channels.removeAll { $0.isExactly(new.channel) }
        channels.insert(new.channel, at: 0)
        district = new
    }

    init(reading reader: inout RecordReader) {
        let channels = reader.texts(Key.channels, isVital: true) ?? []
        self.channels = channels
        // Those who get a record are in a district, whatever it says itself.
        let isNamed = reader.has(Key.district)
        district =
            reader.district(Key.district)
            ?? (isNamed ? channels.lazy.compactMap { District(channel: $0) }.first : nil)
        createdBy = reader.text(Key.createdBy)
        createdAt = reader.timestamp(Key.createdAt)
        source = reader.nested(Key.source) { RecordSource(reading: &$0) }
        rest = JSONObject()
        changedBy = reader.text(Key.changedBy)
        changedAt = reader.timestamp(Key.changedAt)
        device = reader.text(Key.device)
    }

    func write(to writer: inout RecordWriter) {
        writer.set(Key.district, spelled: district)
        writer.set(Key.channels, texts: channels)
        writer.set(Key.createdBy, to: createdBy)
        writer.set(Key.createdAt, spelled: createdAt)
        writer.set(Key.changedBy, to: changedBy)
        writer.set(Key.changedAt, spelled: changedAt)
        writer.set(Key.device, to: device)
        writer.set(Key.source, object: source?.object)
        writer.append(rest)
    }

    func problems() -> [FieldProblem] {
        if let district, !channels.containsExactly(district.channel) {
            return [
                FieldProblem(
                    "channels", message: "must hold \(district.channel), or nobody in the district gets the record")
            ]
        }
        return channels.isEmpty ? [FieldProblem("channels", message: "is empty, so nobody would get the record")] : []
    }
}

/// The row of a file that a record was made from.
public struct RecordSource: Sendable, Hashable {
    /// The file's name without folders.
    @Exact public var file: String
    /// A digest over the row's fields: an unchanged row changes nothing when the file is imported again.
    @Exact public var digest: String
    /// Members that this version does not know.
    public var rest = JSONObject()

    /// The names of the members.
    public enum Key: String, MemberKey {
        case file
        case digest
    }

    public init(file: String, digest: String) {
        self.file = file
        self.digest = digest
    }

    init(reading reader: inout RecordReader) {
        file = reader.requiredText(Key.file)
        digest = reader.requiredText(Key.digest)
        rest = reader.rest
    }

    var object: JSONObject {
        var writer = RecordWriter()
        writer.set(Key.file, to: file)
        writer.set(Key.digest, to: digest)
        writer.append(rest)
        return writer.object
    }
}
