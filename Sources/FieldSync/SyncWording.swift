import FieldRecords

/// Texts that are kept with a sync's report and the service's state, in the app's language.
public protocol SyncWording {
    /// An error in sentences.
    func text(of error: any Error) -> AdvisedText
    /// The decision that a person has to make about a record that both sides have changed.
    func contested(_ conflict: RecordConflict) throws -> ContestedText
    /// A line about an assignment that the user has begun, and that another user has by now. English by default.
    func handedOver(_ work: HandedOverWork) -> String
}

extension SyncWording {
    public func handedOver(_ work: HandedOverWork) -> String {
        "\(work.assignment): \(work.inspector)'s by now; you have begun \(work.begun)"
    }
}

/// An assignment that another user has by now.
public struct HandedOverWork: Sendable, Hashable {
    /// Its short id and its title.
    public let assignment: String
    /// The user who has it by now.
    public let inspector: String
    /// The short id of the inspection that was begun for it.
    public let begun: String
}

/// The open decision about a record.
public struct ContestedText: Sendable, Hashable {
    /// The fields, or that it was deleted: `Score, Fridge °C`.
    public let subjects: String
    /// A line for each field: the values, and their authors.
    public let lines: [String]

    public init(subjects: String, lines: [String]) {
        self.subjects = subjects
        self.lines = lines
    }
}

/// Fields by their names and errors as they describe themselves, for programs that show reports in their own way.
public struct PlainWording: SyncWording {
    public init() {}

    public func text(of error: any Error) -> AdvisedText {
        (error as? any AdvisingError)?.advised ?? AdvisedText(text: "\(error)")
    }

    public func contested(_ conflict: RecordConflict) -> ContestedText {
        ContestedText(subjects: conflict.fields.map(\.path.name).joined(separator: ", "), lines: [])
    }
}
