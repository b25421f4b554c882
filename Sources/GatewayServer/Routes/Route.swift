import GatewayCore
import HTTPTypes
import Hummingbird

/// One line of the route table.
struct Route: Sendable {
    typealias Handler = @Sendable (RouteCall) async throws -> Response

    /// The callers that are let in.
    enum Access: Sendable { case anybody, user, admin }

    /// The meaning of the first component of the path.
    enum Root: Sendable {
        /// The server itself: no database.
        case server
        /// A database, by its name.
        case database
        /// A collection of a database that is online.
        case collection
        /// A collection of a database, which may be offline.
        case configuredCollection

        var isCollection: Bool {
            switch self {
            case .collection, .configuredCollection: true
            case .server, .database: false
            }
        }
    }

    let method: HTTPRequest.Method
    let root: Root
    /// Components behind the keyspace; `*` means any one that is not reserved.
    let pattern: [String]
    let access: Access
    let handler: Handler

    init(
        _ method: HTTPRequest.Method, root: Root, path: String, access: Access, handler: @escaping Handler
    ) {
        self.method = method
        self.root = root
        pattern = path.split(separator: "/").map(String.init)
        self.access = access
        self.handler = handler
    }

    /// Whether it needs the right to write.
    var writesDocuments: Bool {
        guard root == .collection, method != .get else { return false }
        return method != .post || !Self.readingByPost.contains(pattern.first ?? "")
    }

    /// `_revs_diff` is not among them, although it changes nothing: its caller is about to push. (A page that only
    /// reads may ask for it: `CrossOrigin`.)
    private static let readingByPost: Set<String> = ["_all_docs", "_bulk_get", "_changes", "_try_sync_function"]

    /// The values of the stars; `nil` if the path is another one.
    func match(_ components: ArraySlice<Substring>) -> [String]? {
        guard components.count == pattern.count else { return nil }
        var values: [String] = []
        for (index, (expected, component)) in zip(pattern, components).enumerated() {
            if expected.utf8.elementsEqual("*".utf8) {
                // A document's id never begins with an underscore; a component that does is the name of a route.
                let value = GatewayRequest.decoded(component)
                guard index > 0 || value.utf8.first != UInt8(ascii: "_") else { return nil }
                values.append(value)
            } else if !expected.utf8.elementsEqual(component.utf8) {
                return nil
            }
        }
        return values
    }
}
