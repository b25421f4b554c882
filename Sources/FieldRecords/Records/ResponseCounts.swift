import DocumentStore
import DocumentValues
import FieldModels

/// How many filled forms of a person stand how.
public struct ResponseCounts: Sendable, Hashable {
    /// Without those of which there are none.
    public internal(set) var counts: [ResponseStage: Int] = [:]

    public init() {}

    public subscript(_ stage: ResponseStage) -> Int { counts[stage] ?? 0 }
}

extension RecordListing {
    /// - Parameter user: whose forms are counted, with those of no one; `nil` for all.
    public func responseCounts(of user: String?) throws -> ResponseCounts {
        let collection = collection(of: .response)
        let own = user == nil ? "" : " AND IFMISSINGORNULL(createdBy, $user) = $user"
        let query = try database.createQuery(
            "SELECT state, META().id FROM \(collection.fullName) WHERE ISSTRING(state)\(own)")
        if let user { query.parameters = Parameters().setString(user, forName: "user") }
        var counts = ResponseCounts()
        var final: [String] = []
        try query.forEachRow { row in
            guard let state = row.text(0).flatMap({ Response.State(exactly: $0) }), let id = row.text(1) else { return }
            if state == .final { return final.append(id) }
            counts.counts[ResponseStage(state, isSent: true), default: 0] += 1
        }
        // A state of its own would have to change with each exchange.
        for id in final {
            let isSent = try collection.exchange(of: id)?.isSent ?? false
            counts.counts[isSent ? .sent : .finalised, default: 0] += 1
        }
        return counts
    }

    /// Forms, each once however many versions of it are here.
    public func formCount() throws -> Int {
        let query = try database.createQuery(
            "SELECT META().id FROM \(collection(of: .form).fullName) WHERE nodes IS MISSING")
        var count = 0
        try query.forEachRow { _ in count += 1 }
        return count
    }
}
