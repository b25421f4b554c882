/// The limits of a sync function.
package struct SyncFunctionLimits: Sendable, Hashable {
    /// How long one call may take before its worker is killed and the document refused.
    package var time: Duration = .seconds(5)
    /// Additional time for each megabyte of the document and of the one that it replaces: the engine has to read them,
    /// and needs half a second for a megabyte of fractions.
    static let timePerMegabyte: Duration = .seconds(1)

    /// How long the engine may take to read so much.
    static func readingTime(of bytes: Int) -> Duration { timePerMegabyte * (Double(bytes) / 1_000_000) }

    /// Bytes of memory that a worker may use beyond those at its start: a document of 20 MB that consists of small
    /// numbers takes 400 MB as a script's values.
    package var memory: UInt = 640 << 20
    /// Worker processes that run at the same time, started when they are needed: three for usual calls of one user, one
    /// more for others of the database, and one more for other databases. Of these, one may run a large document, one a
    /// slow call, and two calls of unknown users of one database.
    package var workers: Int = 5

    package init() {}

    /// Calls that share a trip to a worker. From some 64 on, a trip costs less than its calls.
    static let callsPerTrip = 128
    /// Bytes of documents that share a trip; a larger document travels alone.
    static let bytesPerTrip = 4 << 20
    /// How long the calls of a trip may take together until the worker returns those that it has not begun, so that
    /// others get their turn.
    static let tripTime: Duration = .milliseconds(100)
    /// The computing time from which on a trip counts as slow: then a call in it took as long as thousands usually do. A
    /// call of an owner who is not known as slow is cut off after this time, and begun again among the slow ones.
    static let slowTrip: Duration = .seconds(1)
    /// The same if other owners of the database are slow: a second is divided by their number plus one, but it does not
    /// become less than this.
    static let shortestCut: Duration = .milliseconds(250)
    /// The number of slow owners of a database from which on an unknown one there is cut off after `leastWork`.
    static let severalSlow = 3
    /// The least computing time before a call is cut off: a hundred times that of a usual call, and more than compiling a
    /// function takes. On a busy machine that may be some seconds of the clock.
    static let leastWork: Duration = .milliseconds(100)
    /// The interval at which a worker's computing time is read.
    static let leastWait: Duration = .milliseconds(10)
    /// For how long an owner with a slow trip shares one worker with all other slow owners.
    static let slowMemory: Duration = .seconds(60)
    /// For how long an owner whose calls were quick goes before unknown ones; it may be up to twice as long.
    static let quickMemory: Duration = .seconds(3_600)
    /// Owners that are known as quick, twice as many at most: some megabytes of names.
    static let quickOwners = 20_000
    /// Bytes of documents from which on a call is large, because it takes seconds. At most one worker runs those.
    static let largeCall = 1 << 20
    /// Calls of one request of a user that may take too long, until its other documents are left out.
    package static let cutOffCalls = 10
    /// Bytes of one message between gateway and worker: the largest document twice, and room for grants.
    static let messageSize = 128 << 20
    /// How long a new worker may take until its greeting.
    static let startTime: Duration = .seconds(20)
    /// How long a worker may gather answers before it sends them.
    static let gatheringTime: Duration = .milliseconds(20)
    /// Functions that a worker keeps compiled; when there are more, it is replaced.
    static let functionsPerWorker = 200
    /// Lines of `console.log` that one call may leave, and the length of each.
    static let logLines = 20
    static let logLineLength = 500
    /// Lines of the log that one user may cause within a minute by `console.log`, and by calls that fail.
    static let linesOfOne = 100
}
