import DocumentValues

/// A step in the life of a filled form: who made it, when, on which device, and why. A record keeps all of its own.
public struct ResponseStep: Sendable, Hashable {
    public enum Action: String, Sendable, Hashable, CaseIterable {
        /// Handed in, for the first time or again.
        case finalised
        /// Taken back to a draft to be changed.
        case reopened
        /// Sent back to its author, or commented on once more.
        case returned
        case approved
        /// There again after a deletion.
        case broughtBack
    }

    public var action: Action
    /// The user's name; `nil` where no user has signed in.
    @Exact public var by: String?
    public var at: Timestamp
    @Exact public var device: String?
    /// The reason of a change, or the comment of a return.
    @Exact public var why: String?
    /// The question that a comment is about, as a path with the keys of instances; `nil` for the whole record.
    @Exact public var question: String?
    /// The record's `instanceID` at the time: a comment on it is answered once the record has another one.
    @Exact public var instanceID: String

    public init(
        _ action: Action, by: String?, at: Timestamp, device: String?, of instanceID: String,
        because why: String? = nil,
        question: String? = nil
    ) {
        self.action = action
        self.at = at
        self.by = by
        self.device = device
        self.why = why
        self.question = question
        self.instanceID = instanceID
    }

    /// `nil` for an entry of a newer program.
    public init?(_ entry: JSONObject) {
        guard let action = entry["action"]?.stringValue.flatMap({ Action(exactly: $0) }),
            let at = entry["at"]?.stringValue.flatMap({ Timestamp($0) }),
            let instanceID = entry["instanceID"]?.stringValue
        else { return nil }
        self.init(
            action, by: entry["by"]?.stringValue, at: at, device: entry["device"]?.stringValue, of: instanceID,
            because: entry["why"]?.stringValue, question: entry["question"]?.stringValue)
    }

    /// As it is in a record.
    public var object: JSONObject {
        var object: JSONObject = ["action": .string(action.rawValue)]
        object["by"] = by.map { .string($0) }
        object["at"] = .string(at.description)
        object["device"] = device.map { .string($0) }
        object["why"] = why.map { .string($0) }
        object["question"] = question.map { .string($0) }
        object["instanceID"] = .string(instanceID)
        return object
    }
}
