/// What lasts from one sync to the next, kept beside the records for every shell to read.
package struct SyncNotes: Codable, Sendable, Hashable {
    /// Seconds since 1970 at which everything had last been exchanged, and with which gateway.
    package var lastExchange: Int64?
    package var gateway: String?
    /// By how much this laptop's clock was ahead of the gateway's then; `nil` where they agreed.
    package var secondsAhead: Int64?
    /// What the service reported last; it may be gone since.
    package var service: Service?

    package init(
        lastExchange: Int64? = nil, gateway: String? = nil, secondsAhead: Int64? = nil, service: Service? = nil
    ) {
        self.lastExchange = lastExchange
        self.gateway = gateway
        self.secondsAhead = secondsAhead
        self.service = service
    }

    /// A service of another version may have reported what this one cannot read. What was noted of the exchange is kept:
    /// a program that changes these notes writes all of them.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        lastExchange = try values.decodeIfPresent(Int64.self, forKey: .lastExchange)
        gateway = try values.decodeIfPresent(String.self, forKey: .gateway)
        secondsAhead = try values.decodeIfPresent(Int64.self, forKey: .secondsAhead)
        do {
            service = try values.decodeIfPresent(Service.self, forKey: .service)
        } catch is DecodingError {
            service = nil
        }
    }

    package struct Service: Codable, Sendable, Hashable {
        package var process: Int32
        package var state: ServiceState
        /// Seconds since 1970: how long it has been so.
        package var since: Int64
        /// To the last requests.
        package var answers: [Answer] = []
        /// What it did that the records themselves do not show, the oldest first.
        @LaterMember package var news: [News] = []

        package init(process: Int32, state: ServiceState, since: Int64) {
            self.process = process
            self.state = state
            self.since = since
        }
    }

    package struct Answer: Codable, Sendable, Hashable {
        package let id: String
        package var report: SyncReport?
        package var failure: String?

        package init(id: String, report: SyncReport? = nil, failure: String? = nil) {
            self.id = id
            self.report = report
            self.failure = failure
        }
    }

    package struct News: Codable, Sendable, Hashable {
        /// One more than that of the former.
        package let number: Int
        package let report: SyncReport
    }
}
