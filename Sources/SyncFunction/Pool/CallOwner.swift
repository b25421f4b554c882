import DocumentValues

/// The account of calls: slow documents of one owner wait for each other, and do not delay those of others.
struct CallOwner: Hashable, Sendable {
    let database: Name
    /// `nil` for administrators, and for functions that are only compiled.
    let user: Name?

    init(database: Name, user: Name?) {
        self.database = database
        self.user = user
    }

    /// The calls of one run have one database and one user.
    init(_ calls: [SyncFunctionCall]) {
        self.init(database: calls.first?.database ?? "", user: calls.first?.user?.name)
    }

    /// For the log.
    var name: Name { Name("\(database)/\(user ?? "(administrator)")") }

    static let configuration = CallOwner(database: "", user: nil)
}
