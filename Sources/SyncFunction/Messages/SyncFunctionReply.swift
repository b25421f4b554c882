import AccessControl
import DocumentValues

/// The outcome, read from the record of calls that the prelude writes.
struct SyncFunctionReply {
    /// The text for all errors inside a function; details go to the log only.
    static let exception = SyncFunctionOutcome.Rejection(status: 500, reason: "Exception in JS sync function")
    static let badPrincipal = SyncFunctionOutcome.Rejection(status: 500, reason: "Error in JS sync function")
    static let longChannel = SyncFunctionOutcome.Rejection(
        status: 413, reason: "The name of a channel has more than \(AccessLimits.channelNameLength) bytes")
    static let timedOut = SyncFunctionOutcome.Rejection(status: 500, reason: "JS sync function timed out")

    private static let expiryMaximum: Double = 253_402_300_799

    let outcome: SyncFunctionOutcome
    /// Lines that the function logged, with their level.
    let log: [(level: String, text: String)]
    /// The engine's text about a failure.
    let detail: String?

    init(_ end: CallEnd) {
        switch end {
        case .answered(let answer): self.init(answer)
        case .tooSlow: self.init(failure: "took too long", Self.timedOut)
        case .crashed: self.init(failure: "the worker died")
        case .leftOut: self.init(refusal: .leftOut)
        }
    }

    /// The calls that took too long are logged; this one needs no line.
    private init(refusal rejection: SyncFunctionOutcome.Rejection) {
        outcome = SyncFunctionOutcome(rejection: rejection)
        log = []
        detail = nil
    }

    private init(_ answer: WorkerAnswer) {
        switch answer {
        case .unusable(let text), .failed(let text): self.init(failure: text)
        case .noMemory: self.init(failure: "it had no memory left")
        case .outcome(let json):
            guard let object = try? JSONObject(parsing: json) else {
                self.init(failure: "the outcome is not JSON")
                return
            }
            self.init(object)
        }
    }

    private init(failure: String, _ rejection: SyncFunctionOutcome.Rejection = exception) {
        outcome = SyncFunctionOutcome(rejection: rejection)
        log = []
        detail = failure
    }

    private init(_ object: JSONObject) {
        log = (object["log"]?.arrayValue ?? []).compactMap { line in
            guard let level = line[0]?.stringValue, let text = line[1]?.stringValue else { return nil }
            return (level, text)
        }
        if let rejection = object["rejection"] {
            outcome = SyncFunctionOutcome(rejection: Self.rejection(rejection))
            detail = rejection["detail"]?.stringValue
            return
        }
        do throws(Misuse) {
            guard object["halfCharacter"] == nil else {
                throw Misuse(text: "a name has half of a character (a lone surrogate)")
            }
            try Self.checkCount(object)
            let decided = SyncFunctionOutcome(
                channels: try Self.channels(object["channels"]), access: try Self.access(object["access"]),
                roles: try Self.roles(object["roles"]), expiry: Self.expiry(object["expiry"]))
            try Self.checkPrincipals(decided)
            outcome = decided
            detail = nil
        } catch {
            outcome = SyncFunctionOutcome(rejection: error.rejection)
            detail = error.text
        }
    }

    /// The function called one of ours with an invalid argument.
    private struct Misuse: Error {
        let text: String
        var rejection = exception
    }

    /// Names of users and roles that do not exist are allowed, and `role:` alone, but not texts that can never be a
    /// name.
    private static func checkPrincipals(_ outcome: SyncFunctionOutcome) throws(Misuse) {
        let roles = outcome.roles.values.reduce(into: Set<Name>()) { $0.formUnion($1) }
        for name in Set(outcome.access.keys).union(outcome.roles.keys).union(roles) {
            let bare = PrincipalName.role(ofKey: name) ?? name
            guard !bare.isEmpty, let problem = PrincipalName.problem(with: bare.text) else { continue }
            throw Misuse(text: "the name of a principal \(problem)", rejection: badPrincipal)
        }
    }

    /// A call with lists of users and channels grants each channel to each user: the grants are counted before they are
    /// made.
    private static func checkCount(_ object: JSONObject) throws(Misuse) {
        var count = 0
        for call in (object["access"]?.arrayValue ?? []) + (object["roles"]?.arrayValue ?? []) {
            count += (call[0]?.arrayValue ?? []).count * (call[1]?.arrayValue ?? []).count
        }
        guard count > AccessLimits.grantsPerDocument else { return }
        let reason = "The sync function grants \(count) times; \(AccessLimits.grantsPerDocument) are allowed"
        throw Misuse(text: "too many grants", rejection: .init(status: 413, reason: reason))
    }

    private static func rejection(_ value: JSONValue) -> SyncFunctionOutcome.Rejection {
        guard let status = value["status"]?.integerValue, status != 500, let reason = value["reason"]?.stringValue
        else {
            return exception
        }
        return SyncFunctionOutcome.Rejection(status: Int(status), reason: reason)
    }

    private static func channels(_ value: JSONValue?) throws(Misuse) -> Set<Name> {
        var channels: Set<Name> = []
        for name in names(value) {
            guard Channel.isValid(name.text) else { throw Misuse(text: "'\(name)' is no channel name") }
            guard !Channel.isTooLong(name.text) else {
                throw Misuse(text: "the name of a channel is too long", rejection: longChannel)
            }
            channels.insert(name)
        }
        return channels
    }

    private static func access(_ value: JSONValue?) throws(Misuse) -> [Name: Set<Name>] {
        var grants: [Name: Set<Name>] = [:]
        for call in value?.arrayValue ?? [] {
            // A document cannot grant `*`.
            let granted = try channels(call[1]).subtracting([Channel.all])
            for holder in names(call[0]) { grants[holder, default: []].formUnion(granted) }
        }
        return grants
    }

    private static func roles(_ value: JSONValue?) throws(Misuse) -> [Name: Set<Name>] {
        var grants: [Name: Set<Name>] = [:]
        for call in value?.arrayValue ?? [] {
            for role in names(call[1]) {
                guard let name = PrincipalName.role(ofKey: role) else {
                    throw Misuse(text: "role() needs 'role:\(role)'")
                }
                for holder in names(call[0]) { grants[holder, default: []].insert(name) }
            }
        }
        return grants
    }

    private static func expiry(_ value: JSONValue?) -> SyncFunctionOutcome.Expiry? {
        if let text = value?.stringValue { return .text(text) }
        guard let seconds = value?.doubleValue, seconds >= 0, seconds <= expiryMaximum else { return nil }
        return .seconds(Int64(seconds))
    }

    private static func names(_ value: JSONValue?) -> [Name] {
        (value?.arrayValue ?? []).compactMap(\.stringValue).map { Name($0) }
    }
}
