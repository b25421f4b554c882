/// The plain facts: every document as it was last written, and the latest grants of each principal. The model keeps no
/// history, so it cannot have errors in one.
public struct AccessFacts: Sendable {
    public struct Document: Sendable {
        public let written: WrittenDocument
        public let sequence: UInt64
    }

    public private(set) var sequence: UInt64
    public private(set) var documents: [String: Document] = [:]
    private var channels: [String: Set<String>] = [:]
    private var roles: Set<String> = []

    /// - Parameter sequence: the last one that was taken before the history begins.
    public init(sequence: UInt64 = 0) { self.sequence = sequence }

    /// A change without an effect takes no sequence.
    public mutating func apply(_ change: AccessChange) {
        guard isNews(change) else { return }
        sequence += 1
        switch change {
        case .write(let document): documents[document.id] = Document(written: document, sequence: sequence)
        case .channels(let names, let principal): channels[principal] = names
        case .roles(let names): roles = names
        }
    }

    private func isNews(_ change: AccessChange) -> Bool {
        switch change {
        case .write: true
        case .channels(let names, let principal): channels[principal] ?? [] != names
        case .roles(let names): roles != names
        }
    }

    /// The channels that an administrator or a document gives to a principal.
    public func channels(of principal: String) -> Set<String> {
        var names = channels[principal] ?? []
        for document in documents.values {
            if let granted = document.written.access[principal] { names.formUnion(granted) }
        }
        return names
    }

    public var rolesOfUser: Set<String> {
        documents.values.reduce(into: roles) { $0.formUnion($1.written.roles) }
    }

    /// Live documents that the user sees now, with the sequences of their revisions.
    public var visible: [String: UInt64] {
        var held = channels(of: AccessHistory.user)
        held.insert("!")
        for role in rolesOfUser { held.formUnion(channels(of: "role:" + role)) }
        var visible: [String: UInt64] = [:]
        for (id, document) in documents where !document.written.isDeleted {
            guard held.contains("*") || !held.isDisjoint(with: document.written.channels) else { continue }
            visible[id] = document.sequence
        }
        return visible
    }
}
