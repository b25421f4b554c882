import DocumentValues

/// One of several values that people gave to a field without knowing of each other, or the deletion of a record that
/// another person has edited. It is kept in the record until a person has decided.
public struct ContestedValue: Sendable, Hashable {
    public enum Subject: Sendable, Hashable {
        case field(FieldPath)
        /// The whole record.
        case deletion

        fileprivate func contestable(_ value: JSONValue?) -> JSONValue? {
            switch self {
            case .field(let path): path.contestable(value)
            case .deletion: nil
            }
        }
    }

    public let subject: Subject
    /// `nil` if a person cleared the field or removed the photo, and for a deletion. `true` for a photo that stays.
    public let value: JSONValue?
    public let stamp: VersionStamp
    /// Members that this version of the program does not know.
    let rest: JSONObject

    init(_ subject: Subject, value: JSONValue?, stamp: VersionStamp, rest: JSONObject = JSONObject()) {
        self.subject = subject
        self.value = subject.contestable(value)
        self.stamp = stamp
        self.rest = rest
    }

    /// `nil` for an element that this version of the program cannot read.
    init?(_ element: JSONValue) {
        guard let object = element.objectValue else { return nil }
        if object["deleted"] == .bool(true), object["field"] == nil {
            subject = .deletion
        } else if let path = object["field"].flatMap({ FieldPath($0) }) {
            subject = .field(path)
        } else {
            return nil
        }
        value = subject.contestable(object["value"])
        stamp = VersionStamp(entry: object)
        let known = ["field", "deleted", "value"] + VersionStamp.members
        rest = object.filter { name in !known.contains { $0.isExactly(name) } }
    }

    var object: JSONObject {
        var object = JSONObject()
        switch subject {
        case .field(let path):
            object["field"] = path.value
            object["value"] = value
        case .deletion: object["deleted"] = true
        }
        stamp.write(to: &object)
        return JSONObject(members: object.members + rest.members)
    }

    /// Two entries of the same field with the same value are one, no matter who typed it.
    var identity: [UInt8] {
        switch subject {
        case .field(let path): Self.identity(of: path, value)
        case .deletion: Self.deletionIdentity
        }
    }

    static func identity(of path: FieldPath, _ value: JSONValue?) -> [UInt8] {
        ValueOrder.key(path.value) + [0] + ValueOrder.key(path.contestable(value))
    }

    static let deletionIdentity: [UInt8] = [0]
}
