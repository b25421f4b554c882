import DocumentValues

/// One run of a sync function, as a value that can cross a process boundary.
package struct SyncFunctionCall: Sendable {
    /// The JavaScript text: `function (doc, oldDoc, meta) { … }`.
    package var function: SyncFunctionSource
    /// The new revision: a JSON object with `_id`, `_rev` and, for a tombstone, `_deleted`.
    package var document: [UInt8]
    /// The revision that it replaces, with `_id`; `nil` for a new document.
    package var oldDocument: [UInt8]?
    /// The third argument of the function.
    package var meta: SyncFunctionMeta
    /// The user on whose behalf it runs; `nil` for an administrator, who passes every `require…`.
    package var user: SyncFunctionUser?
    /// How long it may take; `nil` for the usual time.
    package var time: Duration?
    /// The database of the function: slow calls of one database do not delay those of others.
    package var database: Name
    /// The same for the log: `database.scope.collection`.
    package var keyspace: String
    /// Shared by all calls of a run; when it is used up, further calls are left out. `nil` if each call has to be run.
    package var budget: SlowCallBudget?
    /// Shared by all calls of a run; when it is gone, calls that have not begun are left out. `nil` if the outcome counts in
    /// any case.
    package var client: ClientPresence?

    package init(
        function: SyncFunctionSource, document: [UInt8], oldDocument: [UInt8]? = nil,
        meta: SyncFunctionMeta = SyncFunctionMeta(), user: SyncFunctionUser? = nil, time: Duration? = nil,
        database: Name = "", keyspace: String = ""
    ) {
        self.function = function
        self.document = document
        self.oldDocument = oldDocument
        self.meta = meta
        self.user = user
        self.time = time
        self.database = database
        self.keyspace = keyspace
    }
}

/// `meta`: facts about the new revision that are not in its body. It has Sync Gateway's member `xattrs`, which is
/// empty; the others are this gateway's own, and are left out if they have no value.
package struct SyncFunctionMeta: Sendable {
    /// `meta.expiry`: when the revision expires unless the function sets another time, in seconds since 1970; from
    /// `_exp`.
    package var expires: Int64?
    /// `meta.attachments`: all attachments of the revision, as in `oldDoc._attachments`. It is present if the revision or
    /// the replaced one has attachments, or if the body may refer to blobs. A new attachment that is only named, without
    /// its bytes, has `missing: true`.
    package var attachments: JSONObject?

    package init(expires: Int64? = nil, attachments: JSONObject? = nil) {
        self.expires = expires
        self.attachments = attachments
    }

    /// The JSON that the prelude reads; `nil` if there are no members.
    var json: [UInt8]? {
        guard expires != nil || attachments != nil else { return nil }
        var object: JSONObject = ["xattrs": [:]]
        object["expiry"] = expires.map { .int($0) }
        object["attachments"] = attachments.map { .object($0) }
        return object.bytes
    }
}

/// The text of a sync function. Texts with equal bytes are one function, which is compiled once.
package struct SyncFunctionSource: Sendable, Hashable {
    private let source: Name

    package var text: String { source.text }

    package init(_ text: String) { source = Name(text) }
}

/// The data for `requireUser`, `requireRole` and `requireAccess`.
package struct SyncFunctionUser: Sendable, Hashable {
    /// `GUEST` for a request without credentials.
    package let name: Name
    package let roles: Set<Name>
    package let channels: Set<Name>
    /// In the form of `WorkerUser`: the name, then the roles and the channels, each preceded by their number. Made once,
    /// because there may be tens of thousands.
    let bytes: [UInt8]

    package init(name: Name, roles: Set<Name> = [], channels: Set<Name> = []) {
        self.name = name
        self.roles = roles
        self.channels = channels
        var writer = ByteWriter()
        writer.append(Array(name.text.utf8))
        for names in [roles, channels] {
            writer.append(UInt32(names.count))
            for name in names { writer.append(Array(name.text.utf8)) }
        }
        bytes = writer.bytes
    }

    // The order of names in the bytes does not count.
    package static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.roles == right.roles && left.channels == right.channels
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The result of a sync function.
package struct SyncFunctionOutcome: Sendable, Hashable {
    package var channels: Set<Name>
    /// Channels that the document grants, by principal: a user's name, or `role:` and a role's.
    package var access: [Name: Set<Name>]
    /// Roles that the document grants, by user; without the `role:` prefix.
    package var roles: [Name: Set<Name>]
    package var expiry: Expiry?
    /// Why the document is refused; the other members only count without it.
    package var rejection: Rejection?
    /// The engine's text about a failure. It is for administrators, since it may contain parts of the document. It is
    /// ignored when outcomes are compared.
    package var failure: String? {
        get { remark.text }
        set { remark.text = newValue }
    }
    private var remark = Remark()

    /// The document grants nothing; its channels stay.
    package mutating func withdrawGrants() {
        access = [:]
        roles = [:]
    }

    /// A text that is not part of the decision.
    private struct Remark: Sendable, Hashable {
        var text: String?

        static func == (left: Remark, right: Remark) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// `expiry(…)` as it was called.
    package enum Expiry: Sendable, Hashable {
        /// Up to 30 days: seconds from now; beyond: Unix time. 0 means never, even if the document has a time.
        case seconds(Int64)
        /// RFC 3339 or ISO 8601.
        case text(String)
    }

    package struct Rejection: Sendable, Hashable {
        /// Other documents of the same request took too long, so the rest of the request is left out.
        package static let leftOut = Rejection(
            status: 503,
            reason: "Other documents of the request took the sync function too long, and this one was not looked at; "
                + "send it without them")

        /// An HTTP status: 403, 401, 500 or 503.
        package var status: Int
        package var reason: String

        package init(status: Int, reason: String) {
            self.status = status
            self.reason = reason
        }
    }

    package init(
        channels: Set<Name> = [], access: [Name: Set<Name>] = [:], roles: [Name: Set<Name>] = [:],
        expiry: Expiry? = nil, rejection: Rejection? = nil
    ) {
        self.channels = channels
        self.access = access
        self.roles = roles
        self.expiry = expiry
        self.rejection = rejection
    }
}

/// Something that runs sync functions: a pool of worker processes, or a closure in a test.
package protocol SyncFunctionRunning: Sendable {
    /// One outcome for each call, in order. If it throws, the calls could not be run at all, and nothing may be stored.
    func run(_ calls: [SyncFunctionCall]) async throws -> [SyncFunctionOutcome]

    /// `nil` if the text compiles to a function, else the error, as in `invalid javascript syntax: …`.
    func problem(with function: SyncFunctionSource) async throws -> String?
}
