/// Bounds of what a sync function may use.
package struct SyncFunctionLimits: Sendable, Hashable {
    /// How long one call may take before its worker is killed and the document refused.
    package var time: Duration = .seconds(5)
    /// What is added to that for each megabyte of the document and of the one that it replaces: reading them is the
    /// engine's work, and fractions take it half a second a megabyte.
    static let timePerMegabyte: Duration = .seconds(1)

    /// How long the engine may take to read so much.
    static func readingTime(of bytes: Int) -> Duration { timePerMegabyte * (Double(bytes) / 1_000_000) }

    /// Bytes of memory that a worker may use beyond what it has when it starts: a document of 20 MB that consists of
    /// small numbers takes 400 MB as a script's values.
    package var memory: UInt = 640 << 20
    /// Worker processes that run at the same time, started when they are needed: three for usual calls of one user, one
    /// more for others of the database, and one more for other databases. Of these one may be at a large document, one at a
    /// slow call, and two at calls of users of one database of whom nothing is known.
    package var workers: Int = 5

    package init() {}

    /// Calls that share a trip to a worker. Beyond some 64 a trip costs less than what it carries.
    static let callsPerTrip = 128
    /// Bytes of documents that share a trip; a larger document travels alone.
    static let bytesPerTrip = 4 << 20
    /// How long the calls of a trip may take together until the worker comes back with those that it has not begun, so
    /// that others get their turn.
    static let tripTime: Duration = .milliseconds(100)
    /// How long a worker computes at least in a trip that counts as slow: then a call in it took as long as thousands
    /// usually do. A call of somebody who is not known to be slow is cut off when that much time has passed, and begun again
    /// among those who are.
    static let slowTrip: Duration = .seconds(1)
    /// The same where others of the database are slow: a second is divided by their number and one, but not further than
    /// this.
    static let shortestCut: Duration = .milliseconds(250)
    /// How many slow owners of a database are several: one of whom nothing is known there is then cut off after `leastWork`.
    static let severalSlow = 3
    /// How long a worker has computed at least for a call that is cut off: a hundred times as long as for a usual one, and
    /// longer than a function takes to be compiled. On a busy machine that may be some seconds of the clock.
    static let leastWork: Duration = .milliseconds(100)
    /// After how long a worker is asked again how much of that it has done.
    static let leastWait: Duration = .milliseconds(10)
    /// For how long anybody who had a slow trip shares one worker with all others of that kind.
    static let slowMemory: Duration = .seconds(60)
    /// For how long anybody whose calls were quick goes before those of whom nothing is known; up to twice as long.
    static let quickMemory: Duration = .seconds(3_600)
    /// Owners that are known as quick, twice as many at most: some megabytes of names.
    static let quickOwners = 20_000
    /// Bytes of documents from which on a call is a large one: it takes seconds. One worker at most is busy with
    /// those.
    static let largeCall = 1 << 20
    /// Calls of one request of a user that may take too long, until its other documents are not looked at.
    package static let cutOffCalls = 10
    /// Bytes of one message between gateway and worker: the largest document twice, and room for grants.
    static let messageSize = 128 << 20
    /// How long a new worker may take until it greets.
    static let startTime: Duration = .seconds(20)
    /// How long a worker may gather answers before it sends them.
    static let gatheringTime: Duration = .milliseconds(20)
    /// Functions that a worker keeps compiled; when there are more it starts over.
    static let functionsPerWorker = 200
    /// Lines of `console.log` that one call may leave, and the length of each.
    static let logLines = 20
    static let logLineLength = 500
    /// Lines of the log that one user causes within a minute by what functions write, and by calls that fail.
    static let linesOfOne = 100
}
