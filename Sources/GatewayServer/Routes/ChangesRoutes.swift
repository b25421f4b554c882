import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes
import Hummingbird
import NIOCore

/// The changes feed: a single answer, one that waits for changes, or a continuous one.
enum ChangesRoutes {
    @Sendable static func get(_ call: RouteCall) async throws -> Response {
        try await answer(try ChangesParameters(query: call.request.query), call)
    }

    @Sendable static func post(_ call: RouteCall) async throws -> Response {
        let bytes = try await call.request.jsonBytes()
        let body: JSONObject
        do {
            body = try JSONObject(parsing: bytes)
        } catch {
            throw GatewayError.invalidJSON(error)
        }
        try ChangesParameters.types.check(body) { .invalidJSON($0) }
        let parameters = try ChangesParameters(body: body, query: call.request.query)
        call.request.load.endWork()
        return try await answer(parameters, call)
    }

    private static func answer(_ parameters: ChangesParameters, _ call: RouteCall) async throws -> Response {
        var request = parameters.request(in: call.collection)
        request.includesUser = !call.isAdmin && parameters.documentIDs == nil
        try call.request.load.keep(parameters.filterBytes)
        let feed = try call.database.feeds.changes(request, as: call.requester)
        let writer = ChangesWriter(
            request: call.request, feed: feed, parameters: parameters, since: request.since)
        switch parameters.feed {
        case .normal: return try await writer.normal()
        case .longpoll: return writer.longpoll()
        case .continuous: return writer.continuous()
        case .websocket: return try await SyncRoutes.refuse(call)
        }
    }
}

/// The client's options for a feed, from the query or a body.
struct ChangesParameters: Sendable {
    enum Feed: String, Sendable, CaseIterable { case normal, longpoll, continuous, websocket }

    var feed = Feed.normal
    var since = SequenceID.zero
    var limit: Int?
    var channels: Set<Name>?
    var documentIDs: [String]?
    var activeOnly = false
    var includesDocuments = false
    var includesLeaves = false
    var revocations = false
    /// How long to wait for a change; `nil` for ever.
    var timeout: Duration? = GatewayServerLimits.feedTimeout
    var heartbeat: Duration?

    /// The types of a body's members; unreadable values of the query are ignored.
    static let types = MemberTypes([
        "feed": .text, "style": .text, "filter": .text, "channels": .text, "limit": .integer, "heartbeat": .count,
        "timeout": .count, "include_docs": .flag, "active_only": .flag, "doc_ids": .texts,
    ])

    /// The names that are read from a query; all others are ignored.
    private static let names = [
        "feed", "since", "limit", "style", "filter", "channels", "doc_ids", "active_only", "include_docs",
        "revocations", "timeout", "heartbeat",
    ]

    init(query: [Name: String]) throws {
        try read(
            JSONObject(
                members: Self.names.compactMap { name in
                    query[Name(name)].map { JSONObject.Member(key: name, value: Self.value(name, text: $0)) }
                }))
    }

    /// If both have a value, the query counts, as in Sync Gateway; but its empty lists are ignored.
    init(body: JSONObject, query: [Name: String]) throws {
        var values = body
        for name in Self.names {
            guard let text = query[Name(name)], !text.isEmpty || !["channels", "doc_ids"].contains(name) else {
                continue
            }
            values[name] = Self.value(name, text: text)
        }
        try read(values)
    }

    private static func value(_ name: String, text: String) -> JSONValue {
        switch name {
        case "doc_ids":
            (try? JSONValue(parsing: text)) ?? .array(text.split(atByte: ",").map { .string(String($0)) })
        case "active_only", "include_docs", "revocations": .bool(text == "true")
        case "limit", "heartbeat", "timeout": Int64(text).map { .int($0) } ?? .null
        default: .string(text)
        }
    }

    private mutating func read(_ values: JSONObject) throws {
        if let text = values["feed"]?.stringValue, !text.isEmpty {
            guard let feed = Feed(exactly: text) else { throw GatewayError.unknownFeed }
            self.feed = feed
        }
        // Scripts of web pages write a missing value like this.
        if let value = values["since"], !value.isNull, value != "null" {
            guard let since = SequenceID(json: value) else { throw GatewayError.invalidSequence }
            self.since = since
        }
        limit = values["limit"]?.integerValue.flatMap { $0 > 0 ? Int($0) : nil }
        activeOnly = values["active_only"]?.boolValue ?? false
        includesDocuments = values["include_docs"]?.boolValue ?? false
        includesLeaves = values["style"]?.stringValue == "all_docs"
        revocations = values["revocations"]?.boolValue ?? false
        readTimes(values)
        try readFilter(values)
    }

    private mutating func readTimes(_ values: JSONObject) {
        if let milliseconds = values["timeout"]?.integerValue {
            timeout = milliseconds == 0 ? nil : .milliseconds(min(milliseconds, GatewayServerLimits.longestFeedTimeout))
        }
        guard let milliseconds = values["heartbeat"]?.integerValue, milliseconds > 0 else { return }
        let allowed = GatewayServerLimits.feedHeartbeat
        heartbeat = .milliseconds(min(max(milliseconds, allowed.lowerBound), allowed.upperBound))
        timeout = nil
    }

    private mutating func readFilter(_ values: JSONObject) throws {
        guard let filter = values["filter"]?.stringValue, !filter.isEmpty else { return }
        switch filter {
        case "sync_gateway/bychannel":
            let names = (values["channels"]?.stringValue ?? "").split(atByte: ",", omittingEmptySubsequences: false)
                .map { Name($0) }
            guard names != [""] else { throw GatewayError.missingChannels }
            guard !names.contains("") else { throw GatewayError.emptyChannelName }
            channels = Set(names)
        case "_doc_ids":
            guard let ids = values["doc_ids"]?.arrayValue else {
                throw GatewayError.missingDocumentIDs
            }
            guard !ids.isEmpty else { throw GatewayError.emptyDocumentIDs }
            try JSONValue.checkRows(ids.count)
            guard feed == .normal else {
                throw GatewayError.documentIDsOfLongFeed
            }
            documentIDs = ids.compactMap(\.stringValue)
        default: throw GatewayError.unknownFilter
        }
    }

    /// The memory of the filter, as long as the feed lasts.
    var filterBytes: Int {
        GatewayServerLimits.bytes(ofFilter: documentIDs ?? [])
            + GatewayServerLimits.bytes(ofFilter: (channels ?? []).lazy.map(\.text))
    }

    func request(in collection: CollectionName) -> ChangesRequest {
        ChangesRequest(
            collection: collection, since: since, channels: channels, documentIDs: documentIDs, activeOnly: activeOnly,
            activeUntilCaughtUp: true,
            revocations: revocations, includesDocuments: includesDocuments, includesLeaves: includesLeaves)
    }
}
