/// How many jobs and requests a session has begun and not ended, for each part of each collection.
///
/// ``SessionOutput`` counts all of them, whatever they are for: so no kind of request or job can be forgotten where a session
/// decides whether it is idle.
struct OutstandingWork: Sendable {
    private struct Counts: Sendable {
        private var counts: [Int] = []

        private static func index(_ owner: WorkOwner) -> Int {
            owner.collection * SessionPart.allCases.count + owner.part.rawValue
        }

        subscript(owner: WorkOwner) -> Int {
            let index = Self.index(owner)
            return index < counts.count ? counts[index] : 0
        }

        mutating func add(_ owner: WorkOwner) {
            let index = Self.index(owner)
            if index >= counts.count {
                counts += Array(repeating: 0, count: index + 1 - counts.count)
            }
            counts[index] += 1
        }

        mutating func remove(_ owner: WorkOwner) {
            precondition(self[owner] > 0, "only work that has begun ends")
            counts[Self.index(owner)] -= 1
        }
    }

    private var jobs = Counts()
    private var requests = Counts()

    mutating func beganJob(of owner: WorkOwner) { jobs.add(owner) }

    mutating func endedJob(of owner: WorkOwner) { jobs.remove(owner) }

    mutating func sentRequest(of owner: WorkOwner) { requests.add(owner) }

    mutating func answeredRequest(of owner: WorkOwner) { requests.remove(owner) }

    func hasJobs(of owner: WorkOwner) -> Bool { jobs[owner] > 0 }

    func isAny(of owner: WorkOwner) -> Bool { jobs[owner] > 0 || requests[owner] > 0 }

    func isAny(in collection: Int) -> Bool {
        SessionPart.allCases.contains { isAny(of: WorkOwner($0, of: collection)) }
    }
}
