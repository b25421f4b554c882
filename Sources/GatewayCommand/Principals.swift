import ArgumentParser
import DocumentValues
import Foundation
import GatewayServer
import Glibc

/// Users or roles of a running gateway, over its admin port.
struct Principals {
    private let kind: String
    private let options: AdminOptions
    private let client: AdminClient

    /// - Parameter kind: `_user` or `_role`.
    init(_ kind: String, _ options: AdminOptions, _ client: AdminClient) {
        self.kind = kind
        self.options = options
        self.client = client
    }

    func list() async throws {
        let names = try JSONValue(parsing: try await client.send(.get, options.path(kind)))
        for name in names.arrayValue ?? [] { print(name.stringValue ?? "\(name)") }
    }

    func show(_ name: String) async throws {
        print(String(decoding: try await client.send(.get, options.path(kind, name)), as: UTF8.self))
    }

    func exists(_ name: String) async throws -> Bool {
        let answer = try await client.request(.get, options.path(kind, name))
        return answer.status == 200
    }

    func set(_ name: String, _ object: JSONObject) async throws {
        try await client.send(.put, options.path(kind, name), object.bytes)
    }

    func delete(_ name: String) async throws { try await client.send(.delete, options.path(kind, name)) }
}

/// Channels of collections, as options.
struct ChannelOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Channels of a collection, replacing those it had; may be given several times.",
            valueName: "scope.collection=channel,channel"))
    var channels: [String] = []

    /// `collection_access`, or `admin_channels` for the default collection.
    func object() throws -> JSONObject {
        var object = JSONObject()
        var access = JSONObject()
        for text in channels {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let collection = try? CollectionName(parsing: String(parts[0])) else {
                throw ValidationError("'\(text)' is not of the form scope.collection=channel,channel")
            }
            let names = JSONValue.array(parts[1].split(separator: ",").map { .string(String($0)) })
            guard !collection.isDefault else {
                object["admin_channels"] = names
                continue
            }
            var scope = access[collection.scope]?.objectValue ?? [:]
            scope[collection.name] = ["admin_channels": names]
            access[collection.scope] = .object(scope)
        }
        if !access.isEmpty { object["collection_access"] = .object(access) }
        return object
    }
}

/// A password comes from a file, never from the command line, which others can see.
enum PasswordFile {
    static func read(_ path: String) throws -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let line = text.split(separator: "\n").first, !line.isEmpty
        else { throw Failure("\(path) cannot be read, or is empty. Write the password on its first line") }
        return String(line)
    }
}
