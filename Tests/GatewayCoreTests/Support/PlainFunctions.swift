import DocumentValues
import SyncFunction

/// Sync functions without a script engine: the document itself contains the calls that its function would make.
///
/// The text of a function names the member with the channels, so that another text is another function; `old` takes the
/// channels of the old document, and `refuse` accepts no document.
struct PlainFunctions: SyncFunctionRunning {
    func run(_ calls: [SyncFunctionCall]) async throws -> [SyncFunctionOutcome] { try calls.map(outcome) }

    func problem(with function: SyncFunctionSource) async throws -> String? {
        function.text.contains(" ") ? "invalid javascript syntax: \(function.text)" : nil
    }

    private func outcome(_ call: SyncFunctionCall) throws -> SyncFunctionOutcome {
        let document = try JSONObject(parsing: call.document)
        if let reason = document["forbidden"]?.stringValue {
            return SyncFunctionOutcome(rejection: SyncFunctionOutcome.Rejection(status: 403, reason: reason))
        }
        if let name = document["requireUser"]?.stringValue, let user = call.user, user.name != Name(name) {
            return SyncFunctionOutcome(rejection: SyncFunctionOutcome.Rejection(status: 403, reason: "sg wrong user"))
        }
        if call.function.text == "refuse" {
            return SyncFunctionOutcome(rejection: SyncFunctionOutcome.Rejection(status: 403, reason: "refused"))
        }
        if call.function.text == "old" {
            let old = try call.oldDocument.map { try JSONObject(parsing: $0) }
            return SyncFunctionOutcome(channels: names(old?["channels"]))
        }
        let member = call.function.text.contains("(") ? "channels" : call.function.text
        return SyncFunctionOutcome(
            channels: names(document[member]), access: grants(document["access"]), roles: grants(document["roles"]),
            expiry: document["expiry"]?.integerValue.map { .seconds($0) })
    }

    private func names(_ value: JSONValue?) -> Set<Name> { value?.names ?? [] }

    private func grants(_ value: JSONValue?) -> [Name: Set<Name>] {
        var grants: [Name: Set<Name>] = [:]
        for member in value?.objectValue ?? [:] { grants[Name(member.key)] = names(member.value) }
        return grants
    }
}
