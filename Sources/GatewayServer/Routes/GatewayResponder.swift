import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Answers the requests of one port: finds the route, the requester and the database, and turns errors into answers.
struct GatewayResponder: HTTPResponder {
    typealias Context = ConnectionContext

    let port: GatewayPort
    let gateway: GatewayContext

    func respond(to request: Request, context: Context) async throws -> Response {
        let start = ContinuousClock.now
        var call = GatewayRequest(request, port: port, connection: context, gateway: gateway)
        call.handshake = gateway.handshakes.take(of: context.channel)
        let origin = CrossOrigin(call, gateway: gateway)
        let pass = InFlightRequestToken(gateway.metrics)
        var response: Response
        do {
            try pass.admit(gateway.requests, address: call.account)
            call.inFlight = pass
            try BrowserGuard.check(call, configuration: gateway.configuration)
            try call.checkExpectation()
            try origin?.check(call)
            response = try await answer(call)
            try response.hold(on: call.load, method: call.method)
        } catch {
            response = failure(error, call)
        }
        call.load.end()
        origin?.add(to: &response, of: call.method)
        if call.method == .head {
            response = response.createHeadResponse()
        } else {
            response = response.waiting(for: context.channel, call, logger: gateway.logger).compressed(for: call)
        }
        // An answer of unknown length is a feed, or as large as one: its request goes on until it is written.
        if response.body.contentLength == nil { response.body = response.body.keeping(pass) }
        let duration = start.duration(to: .now)
        gateway.metrics.countRequest(port: port, status: response.status.code, duration: duration)
        RequestLog(gateway: gateway).write(call, status: response.status.code, duration: duration)
        withExtendedLifetime(pass) {}
        return response
    }

    private func failure(_ error: any Error, _ call: GatewayRequest) -> Response {
        if let refusal = error as? Refusal { return .error(refusal.error, headers: refusal.headers) }
        let known = GatewayError(error)
        // A database that is not served, for now or at all, is no failure of the request; a used-up share of the disk has its
        // own line in the log.
        if known.status >= 500, ![501, 503, 507].contains(known.status) {
            // The path may name a person's record; the method and the error's type are enough to look for.
            gateway.logs.failedRequests.write(
                "A request failed", level: .error,
                metadata: ["method": "\(call.method)", "error": "\(type(of: error)): \(error)"], of: call.load.account,
                logger: gateway.logger)
        }
        return .error(known)
    }

    private func answer(_ request: GatewayRequest) async throws -> Response {
        let method: HTTPRequest.Method = request.method == .head ? .get : request.method
        if port == .metrics { return try await metrics(request) }
        try request.checkTexts()
        guard let first = request.components.first else {
            return try await serve(request, method: method, rest: [], keyspace: nil)
        }
        guard !request.components.contains(where: Self.isOdd) else { throw GatewayError.unknownURL }
        if first.utf8.first == UInt8(ascii: "_") {
            return try await serve(request, method: method, rest: request.components[...], keyspace: nil)
        }
        try request.checkEscapes()
        let keyspace = Keyspace(GatewayRequest.decoded(first))
        return try await serve(request, method: method, rest: request.components.dropFirst(), keyspace: keyspace)
    }

    /// Nothing, `.` or `..`.
    private static func isOdd(_ component: Substring) -> Bool {
        component.utf8.count <= 2 && component.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    private func metrics(_ request: GatewayRequest) async throws -> Response {
        guard request.components.count == 1, let name = request.components.first else {
            throw GatewayError.unknownURL
        }
        guard request.method == .get || request.method == .head else {
            throw Refusal(GatewayError.otherMethod, headers: [.allow: "GET, HEAD"])
        }
        guard let page = MetricsPage(exactly: String(name)) else { throw GatewayError.unknownURL }
        if page.access == .admin { try await gateway.administrators.check(request, gateway: gateway) }
        switch page {
        case .ping: return ServerRoutes.pong
        case .numbers: return ServerRoutes.numbers(of: gateway)
        case .metrics, .reservedMetrics:
            let text = gateway.metrics.text(with: GatewayReadings(gateway))
            return .bytes(Array(text.utf8), type: "text/plain; version=0.0.4")
        }
    }

    private func serve(
        _ request: GatewayRequest, method: HTTPRequest.Method, rest: ArraySlice<Substring>, keyspace: Keyspace?
    ) async throws -> Response {
        if let keyspace, rest.isEmpty,
            let answer = try await DatabaseLife.answer(request, keyspace: keyspace, gateway: gateway)
        {
            return answer
        }
        let routes = RouteTable.routes(behind: keyspace, rest: rest)
        let candidates = routes.compactMap { route -> (Route, [String])? in
            guard port == .admin || route.access != .admin else { return nil }
            return route.match(rest).map { (route, $0) }
        }
        guard !candidates.isEmpty else { throw GatewayError.unknownURL }
        guard let (route, parameters) = candidates.first(where: { $0.0.method == method }) else {
            let allowed = HTTPFields.allowed(candidates.map(\.0.method), isDatabase: keyspace != nil && rest.isEmpty)
            guard method != .options else { return Response(status: .noContent, headers: allowed) }
            throw Refusal(GatewayError.otherMethod, headers: allowed)
        }
        return try await run(route, request: request, keyspace: keyspace, parameters: parameters)
    }

    private func run(
        _ route: Route, request: GatewayRequest, keyspace: Keyspace?, parameters: [String]
    ) async throws -> Response {
        if route.access == .anybody { request.load.restrict(to: GatewayServerLimits.openBody) }
        guard let keyspace else {
            if port == .admin, route.access == .admin {
                try await gateway.administrators.check(request, gateway: gateway)
            }
            return try await route.handler(
                RouteCall(
                    request: request, context: gateway, requester: port == .admin ? .admin : .guest, database: nil,
                    collection: .default, parameters: parameters))
        }
        guard route.root.isCollection || !keyspace.namesCollection else {
            throw GatewayError.invalidDatabaseName(keyspace.text)
        }
        try keyspace.check()
        let login = Login(request: request, gateway: gateway)
        let outcome = try await login.resolve(
            keyspace.database, isOpenToAnybody: route.access == .anybody)
        let (database, requester) = (outcome.database, outcome.requester)
        let account = gateway.account(of: requester, in: database, request)
        try request.inFlight?.charge(to: account)
        request.load.charge(to: account)
        if port == .publicAPI { gateway.metrics.countPublicRequest(database.name) }
        if route.root == .collection { try database.checkOnline() }
        if route.writesDocuments, database.isReadOnly(for: requester) { throw GatewayError.readOnly }
        let collection = route.root.isCollection ? try keyspace.collection(in: database) : .default
        var admitted = request
        admitted.authorization = outcome.authorization
        var response = try await route.handler(
            RouteCall(
                request: admitted, context: gateway, requester: requester, database: database,
                collection: collection, parameters: parameters))
        response.headers.append(contentsOf: outcome.headers)
        return response
    }
}

extension HTTPFields {
    /// The `Allow` header. `PUT` is also allowed for a database that does not exist yet.
    fileprivate static func allowed(_ methods: [HTTPRequest.Method], isDatabase: Bool) -> HTTPFields {
        var methods = Set(methods)
        if methods.contains(.get) { methods.insert(.head) }
        if isDatabase { methods.insert(.put) }
        let order: [HTTPRequest.Method] = [.get, .head, .post, .put, .delete]
        return [.allow: order.filter(methods.contains).map(\.rawValue).joined(separator: ", ")]
    }
}
