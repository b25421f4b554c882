import ArgumentParser
import DocumentValues
import Foundation
import GatewayCore
import GatewayServer
import Glibc

/// Users or roles of a running gateway, over its admin port.
struct Principals {
    private let kind: AdminDatabase.Kind
    private let database: AdminDatabase

    init(_ kind: AdminDatabase.Kind, options: AdminOptions, client: AdminClient) {
        self.kind = kind
        database = AdminDatabase(options.database, client: client)
    }

    private var kindName: String {
        switch kind {
        case .user: "user"
        case .role: "role"
        }
    }

    func list() async throws {
        for name in NameSpelling.shown(try await database.names(kind)) { Output.line(name) }
    }

    func show(_ name: String) async throws { Output.json(try await existing(name)) }

    /// Throws if there is none of this name.
    func existing(_ name: String) async throws -> JSONObject { try await database.existing(kind, principal: name) }

    /// All users with their rights, one a line, and a further line for each other program or laptop with which they have
    /// signed in.
    func table() async throws {
        let last = try await database.signIns()
        var rows = [["NAME", "ROLES", "SIGN-IN", "LAST", "PROGRAM", "EMAIL"]]
        let users = try await database.users()
        let names = users.map { $0["name"]?.stringValue ?? "" }
        for (user, (name, shown)) in zip(users, zip(names, NameSpelling.shown(names))) {
            let signIns = last(name)
            rows.append([
                shown,
                (user["admin_roles"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: ", "),
                user["disabled"]?.boolValue == true ? "disabled" : "yes",
                signIns.first.map { LocalTime.text($0.at) } ?? "never", signIns.first?.agent ?? "",
                user["email"]?.stringValue ?? "",
            ])
            rows += signIns.dropFirst().map { ["", "", "", LocalTime.text($0.at), $0.agent, ""] }
        }
        for line in Table.lines(rows) { Output.line(line) }
    }

    /// Makes or changes a user or a role.
    ///
    /// - Parameter change: gets the present user or role, `nil` if there is none; returns the members to change. It is called
    ///   again if another command changes the same one at the same time.
    func set(_ name: String, by change: (_ present: JSONObject?) async throws -> JSONObject) async throws {
        var isNew = false
        try await database.update(kind, principal: name) { present in
            isNew = present == nil
            let object = try await change(present)
            if let access = object["collection_access"]?.objectValue { try await checkCollections(access) }
            if let roles = object["admin_roles"]?.arrayValue { try await checkRoles(roles.compactMap(\.stringValue)) }
            return object
        }
        Output.line("\(isNew ? "Made" : "Changed") the \(kindName) \(name)")
        guard isNew else { return }
        for other in NameSpelling.alike(name, among: try await database.names(kind)) {
            Output.line("There is a \(kindName) \(other), too: they are two")
        }
    }

    func delete(_ name: String) async throws {
        try await database.delete(kind, principal: name)
        Output.line("Deleted the \(kindName) \(name)")
    }

    /// - Parameter isInUse: whether to delete it although users have it; they lose it.
    func delete(role name: String, isInUse: Bool) async throws {
        if !isInUse { try await checkNobodyHas(role: name) }
        let role = try await existing(name)
        try await takeFromAll(role: name)
        try await delete(name)
        try await nameWhatKeeps(channelsOf: role)
    }

    /// A role's deletion takes documents off the laptops of all who have it.
    private func checkNobodyHas(role: String) async throws {
        let members = try await database.users().filter { Self.has(role, user: $0) }
        guard !members.isEmpty else { return }
        let names = members.prefix(5).compactMap { $0["name"]?.stringValue }.joined(separator: ", ")
        let others = members.count > 5 ? " and \(members.count - 5) others" : ""
        throw Failure(
            "\(names)\(others) \(members.count == 1 ? "has" : "have") the role '\(role)', and their laptops would remove "
                + "the documents that they see only by it. Add --yes if that is meant")
    }

    /// Otherwise a later role of the same name would belong to these users at once.
    private func takeFromAll(role: String) async throws {
        for user in try await database.users() where Self.has(role, user: user) {
            guard let name = user["name"]?.stringValue else { continue }
            try await database.update(.user, principal: name) { present in
                // A user who was deleted since must not be made again.
                let known = if let present { present } else { try await database.existing(.user, principal: name) }
                let roles = (known["admin_roles"]?.arrayValue ?? []).filter { $0.stringValue?.isExactly(role) != true }
                return ["admin_roles": .array(roles)]
            }
            Output.line("Took the role from the user \(name)")
        }
    }

    /// Names the users who were given channels of a deleted role directly, and other roles that grant these channels:
    /// those grants stay.
    private func nameWhatKeeps(channelsOf role: JSONObject) async throws {
        let granted = DirectChannels(of: role)
        for user in try await database.users() {
            guard let name = user["name"]?.stringValue, let options = Self.removal(of: granted, from: user) else {
                continue
            }
            Output.line(
                "\(name) keeps what was given to them directly. To take that away, too: user set \(name) \(options)")
        }
        for name in try await database.names(.role) {
            // A role that was deleted since grants nothing.
            guard let other = try await database.principal(.role, principal: name),
                let options = Self.removal(of: granted, from: other)
            else { continue }
            Output.line(
                "The role '\(name)' grants the same to its members. To take that away, too: role set \(name) \(options)"
            )
        }
    }

    /// The options that take these channels away from a user or a role; `nil` if it has none of them.
    private static func removal(of channels: DirectChannels, from principal: JSONObject) -> String? {
        let kept = DirectChannels(of: principal).common(with: channels)
        return kept.isEmpty ? nil : kept.options.map { "--remove-channel \($0)" }.joined(separator: " ")
    }

    private static func has(_ role: String, user: JSONObject) -> Bool {
        (user["admin_roles"]?.arrayValue ?? []).contains { $0.stringValue?.isExactly(role) == true }
    }

    /// The gateway would accept a role that does not exist, which grants nothing.
    private func checkRoles(_ roles: [String]) async throws {
        let known = try await database.names(.role)
        for role in roles where !known.contains(where: { $0.isExactly(role) }) {
            let near = Suggestion.text(for: role, among: known)
            throw Failure("There is no role '\(role)'\(near). Make it with: role set \(role)")
        }
    }

    private func checkCollections(_ access: JSONObject) async throws {
        let known = try await database.collections().map { "\($0.name)" }
        for scope in access {
            for collection in scope.value.objectValue ?? [:] {
                let name = "\(scope.key).\(collection.key)"
                guard !known.contains(where: { $0.isExactly(name) }) else { continue }
                throw Failure(
                    "The database '\(database.name)' has no collection \(name); it has \(known.joined(separator: ", "))"
                )
            }
        }
    }
}

/// A password comes from a file, never from the command line, which other accounts of the machine can see.
enum PasswordFile {
    static func read(_ path: String) throws -> String {
        // As on laptops: the first line, with any line end.
        let text = try NamedFile.text(of: path)
        guard let line = String(text.utf8.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }),
            !line.isEmpty
        else { throw Failure("\(path) is empty. Write the password on its first line") }
        if let problem = TypedPassword.problem(with: line) { throw Failure("\(path) \(problem)") }
        return line
    }

    static func shown(_ password: String, of name: String) -> String {
        "Password of \(name.printableLine): \(password)\nIt is kept as a hash only, so write it down."
    }
}

/// Addresses that the gateway would ignore silently are refused.
enum TypedMailAddress {
    static func check(_ text: String) throws {
        guard text.isEmpty || MailAddress.isValid(text) else {
            throw ValidationError("'\(text)' is no mail address, such as mara@example.org; '' removes it")
        }
    }
}
