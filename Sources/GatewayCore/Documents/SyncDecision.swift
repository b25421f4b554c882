import AccessControl
import DocumentValues
import SyncFunction

/// The decision of a sync function on a revision, and the revision's expiry.
///
/// A class like `WritePlan`, with which it is passed on: an outcome has half a dozen references, each of which a copy would
/// count.
final class SyncDecision: Sendable {
    let outcome: SyncFunctionOutcome
    /// Of the document.
    let channels: Set<Name>
    /// What the document grants.
    let grants: DocumentGrants
    /// Seconds since 1970.
    let expires: Int64?

    init(_ outcome: SyncFunctionOutcome, expires: Int64? = nil) {
        self.outcome = outcome
        self.channels = outcome.documentChannels
        self.grants = DocumentGrants(outcome)
        self.expires = expires
    }
}

extension SyncFunctionOutcome {
    /// Every document is in `*` anyway; one that names `*` is in no other channel, as in Sync Gateway.
    var documentChannels: Set<Name> { channels.contains(Channel.all) ? [] : channels }

    /// Why the document is not stored: the function refuses it, or puts it into too many channels.
    var refusal: GatewayError? {
        if let rejection { return GatewayError(rejection.status, reason: rejection.reason) }
        let count = documentChannels.count
        guard count > AccessLimits.channelsPerDocument else { return nil }
        return GatewayError.tooManyChannels(count)
    }
}

extension DocumentChannels {
    /// Why the document cannot be in these channels, too.
    func refusal(of channels: Set<Name>) -> GatewayError? {
        excess(with: channels).map { count in
            GatewayError.tooManyChannelsOverTime(count)
        }
    }
}

extension DocumentGrants {
    init(_ outcome: SyncFunctionOutcome) {
        // Nearly all documents grant nothing.
        guard !(outcome.access.isEmpty && outcome.roles.isEmpty) else {
            self.init()
            return
        }
        // Ignores a document's grant of `*`, as Sync Gateway does.
        let channels = outcome.access.mapValues { $0.subtracting([Channel.all]) }.filter { !$0.value.isEmpty }
        self.init(channels: channels, roles: outcome.roles.filter { !$0.value.isEmpty })
    }
}
