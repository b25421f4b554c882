import DocumentValues

/// Decides what storing documents would mean, by what the store has of them.
///
/// A large document takes tenths of a second. Meanwhile neither the one reader of everybody's small rows may be held, nor one
/// of the threads that all requests share.
struct DocumentPlanner: Sendable {
    typealias Verdict = Result<WritePlan.Verdict, GatewayError>

    let service: DocumentService
    let account: Name
    /// Of the collection.
    let number: Int64
    let rules: WriteRules
    let states: RepeatedStates

    /// - Returns: one verdict a document, in order.
    func verdicts(on documents: [IncomingDocument]) async throws -> [Verdict] {
        var verdicts: [Verdict] = []
        verdicts.reserveCapacity(documents.count)
        var rest = documents[...]
        while let first = rest.first {
            if first.takesLongToPlan {
                // One by one: of those that are refused, what is stored need not stay in memory.
                verdicts.append(try await verdict(onLarge: first))
                rest = rest.dropFirst()
            } else {
                let small = Array(rest.prefix { !$0.takesLongToPlan })
                verdicts += try await self.verdicts(onSmall: small)
                rest = rest.dropFirst(small.count)
            }
        }
        return verdicts
    }

    private func verdict(onLarge document: IncomingDocument) async throws -> Verdict {
        let state = try await present([document])[0]
        do {
            return .success(try await service.verdict(on: document, state: state, rules: rules, for: account))
        } catch {
            return .failure(GatewayError(error))
        }
    }

    /// A few are read where the caller is, and decided on when the reader is free again; more of them on another thread.
    private func verdicts(onSmall documents: [IncomingDocument]) async throws -> [Verdict] {
        guard documents.count <= GatewayLimits.rowsReadInPlace else {
            return try await service.store.read(for: account) { reader in
                try documents.map { verdict(on: $0, state: try present($0, from: reader)) }
            }
        }
        var verdicts: [Verdict] = []
        var pace = FairPace()
        for (document, state) in zip(documents, try await present(documents)) {
            verdicts.append(verdict(on: document, state: state))
            await pace.giveWay()
        }
        return verdicts
    }

    private func verdict(on document: IncomingDocument, state: DocumentState?) -> Verdict {
        Result { try WritePlan.make(document, state: state, rules: rules) }.mapError { GatewayError($0) }
    }

    /// What the store has of documents that are few.
    private func present(_ documents: [IncomingDocument]) async throws -> [DocumentState?] {
        try await service.store.read(
            for: account,
            bytes: { reader in
                try reader.documents.bytes(of: documents.map(\.id).filter { !states.contains($0) }, in: number)
            },
            { reader in try documents.map { try present($0, from: reader) } })
    }

    private func present(_ document: IncomingDocument, from reader: StoreReader) throws -> DocumentState? {
        try states.state(of: document.id, in: number, from: reader)
    }
}

extension DocumentService {
    /// Decides on one document; what takes long, on a thread that is nobody else's.
    func verdict(
        on document: IncomingDocument, state: DocumentState?, rules: WriteRules, for account: Name
    ) async throws -> WritePlan.Verdict {
        guard document.takesLongToPlan else { return try WritePlan.make(document, state: state, rules: rules) }
        return try await environment.longWork.run(of: account) {
            try WritePlan.make(document, state: state, rules: rules)
        }
    }
}

extension IncomingDocument {
    /// Whether deciding on it takes longer than some hundredths of a second.
    fileprivate var takesLongToPlan: Bool { workOfPlan > GatewayLimits.bytesPlannedInPlace }

    /// About the bytes of JSON that take as long.
    private var workOfPlan: Int {
        let listed = Self.workOfAttachment * (attachments?.count ?? 0)
        switch edit {
        case .new: return body.count + listed
        // Its body is not digested: it has its id.
        case .existing(_, let history): return listed + Self.workOfAncestor * history.ancestors.count
        }
    }

    private static let workOfAttachment = 64
    private static let workOfAncestor = 16
}
