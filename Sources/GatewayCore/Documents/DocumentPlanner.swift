import DocumentValues

/// Decides the effects of storing documents, by their state in the store.
///
/// A large document takes tenths of a second. It must not keep the reader that small documents share, nor one of the threads
/// that all requests share, for so long.
struct DocumentPlanner: Sendable {
    typealias Verdict = Result<WritePlan.Verdict, GatewayError>

    let service: DocumentService
    let account: Name
    /// Of the collection.
    let number: Int64
    let rules: WriteRules
    let states: RepeatedStates

    /// - Returns: one verdict for each document, in order.
    func verdicts(on documents: [IncomingDocument]) async throws -> [Verdict] {
        var verdicts: [Verdict] = []
        verdicts.reserveCapacity(documents.count)
        var rest = documents[...]
        while let first = rest.first {
            if first.takesLongToPlan {
                // One by one, so that the stored states of refused documents do not stay in memory.
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

    /// A few are read on the caller's thread, and decided after the reader is free again; more of them on another
    /// thread.
    private func verdicts(onSmall documents: [IncomingDocument]) async throws -> [Verdict] {
        guard documents.count <= GatewayLimits.rowsReadInPlace else {
            return try await verdicts(onRound: documents)
        }
        var verdicts: [Verdict] = []
        var pace = FairPace()
        for (document, state) in zip(documents, try await present(documents)) {
            verdicts.append(verdict(on: document, state: state))
            await pace.giveWay()
        }
        return verdicts
    }

    /// Read with one call, and decided on as they come: of those that are refused nothing stays in memory.
    private func verdicts(onRound documents: [IncomingDocument]) async throws -> [Verdict] {
        try await service.store.read(for: account) { reader in
            var verdicts = [Verdict?](repeating: nil, count: documents.count)
            try await states.forEach(of: documents.map(\.id), in: number, from: reader) { index, state in
                verdicts[index] = verdict(on: documents[index], state: state)
            }
            return verdicts.map { $0 ?? .failure(GatewayError.unplannedDocument) }
        }
    }

    private func verdict(on document: IncomingDocument, state: DocumentState?) -> Verdict {
        Result { try WritePlan.make(document, state: state, rules: rules) }.mapError { GatewayError($0) }
    }

    /// The stored states of a few documents.
    private func present(_ documents: [IncomingDocument]) async throws -> [DocumentState?] {
        let ids = documents.map(\.id)
        if let inPlace = service.store.inPlace, let present = try states.states(of: ids, in: number, from: inPlace) {
            return present
        }
        return try await service.store.read(for: account) { reader in
            var present = [DocumentState?](repeating: nil, count: ids.count)
            try await states.forEach(of: ids, in: number, from: reader) { present[$0] = $1 }
            return present
        }
    }
}

extension DocumentService {
    /// Decides on one document; if that takes long, on a thread of its own.
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

    /// The amount of JSON, in bytes, that would take about as long.
    private var workOfPlan: Int {
        let listed = GatewayLimits.workOfAttachment * (attachments?.count ?? 0)
        switch edit {
        case .new: return body.count + listed
        // Its id is given, so no digest of its body is computed.
        case .existing(_, let history): return listed + GatewayLimits.workOfAncestor * history.ancestors.count
        }
    }
}
