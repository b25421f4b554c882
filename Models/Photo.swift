import DocumentValues

/// A picture or another file that belongs to a record; its bytes are a blob.
public struct Photo: Sendable, Hashable {
    /// The name it has in an export: `front-door.jpg`.
    @Exact public var name: String
    @Exact public var caption: String?
    /// By the camera's account, where it gives one.
    public var takenAt: Timestamp?
    /// When it was added to the record.
    public var attachedAt: Timestamp?
    public var blob: BlobMetadata
    /// Members that this version does not know.
    public var rest = JSONObject()

    /// The names of the members.
    public enum Key: String, MemberKey {
        case name
        case caption
        case takenAt
        case attachedAt
        case blob
    }

    public init(
        name: String, caption: String? = nil, takenAt: Timestamp? = nil, attachedAt: Timestamp? = nil,
        blob: BlobMetadata
    ) {
        self.name = name
        self.caption = caption
        self.takenAt = takenAt
        self.attachedAt = attachedAt
        self.blob = blob
    }

    init?(reading reader: inout RecordReader) {
        name = reader.requiredText(Key.name)
        caption = reader.text(Key.caption)
        takenAt = reader.timestamp(Key.takenAt)
        attachedAt = reader.timestamp(Key.attachedAt)
        guard let metadata = reader.value(Key.blob)?.objectValue.flatMap({ BlobMetadata($0) }) else {
            reader.note("blob", because: "must be a blob with a digest such as sha1-…")
            return nil
        }
        blob = metadata
        rest = reader.rest
    }

    /// As it is in a record.
    public var object: JSONObject {
        var writer = RecordWriter()
        writer.set(Key.name, to: name)
        writer.set(Key.caption, to: caption)
        writer.set(Key.takenAt, spelled: takenAt)
        writer.set(Key.attachedAt, spelled: attachedAt)
        writer.set(Key.blob, object: blob.object)
        writer.append(rest)
        return writer.object
    }

    /// Whether a file can have this name in any folder.
    func problems(in field: String) -> [FieldProblem] {
        if name.isBlank { return [FieldProblem("\(field).name", message: "is empty")] }
        if name.hasExactPrefix(".") || name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 < 0x20 }) {
            return [FieldProblem("\(field).name", message: "must be a file's name without a folder, but is '\(name)'")]
        }
        return TextLength.problems(
            atMost: TextLength.line, ["\(field).name": name, "\(field).caption": caption])
    }
}

extension Array where Element == Photo {
    func problems() -> [FieldProblem] {
        enumerated().flatMap { $0.element.problems(in: "photos[\($0.offset + 1)]") }
    }
}

extension String {
    /// Nothing that a person could read.
    var isBlank: Bool { unicodeScalars.allSatisfy { $0.properties.isWhitespace } }
}
