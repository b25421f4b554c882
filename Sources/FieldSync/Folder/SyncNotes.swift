import FieldRecords

/// Notes that are kept from one sync to the next, beside the records, for every shell to read.
package struct SyncNotes: Codable, Sendable, Hashable {
    /// When everything was last exchanged, in seconds since 1970, and with which gateway.
    package var lastExchange: Int64?
    package var gateway: String?
    /// By how much this laptop's clock was ahead of the gateway's then; `nil` if they agreed.
    package var secondsAhead: Int64?
    /// The last report of the service, which may be gone since.
    package var service: Service?

    package init(
        lastExchange: Int64? = nil, gateway: String? = nil, secondsAhead: Int64? = nil, service: Service? = nil
    ) {
        self.lastExchange = lastExchange
        self.gateway = gateway
        self.secondsAhead = secondsAhead
        self.service = service
    }

    /// A service of another version may have written a state that this version cannot read. The notes about the exchange
    /// are kept, because a program that changes these notes writes all of them.
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
        /// The beginning of this state, in seconds since 1970.
        package var since: Int64
        /// Answers to the last requests.
        package var answers: [Answer] = []
        /// Actions that the records themselves do not show, the oldest first.
        @LaterMember package var news: [News] = []

        package init(process: Int32, state: ServiceState, since: Int64) {
            self.process = process
            self.state = state
            self.since = since
        }
    }

    package struct Answer: Sendable, Hashable {
        package let id: String
        package var report: SyncReport?
        package var failure: AdvisedText?

        package init(id: String, report: SyncReport? = nil, failure: AdvisedText? = nil) {
            self.id = id
            self.report = report
            self.failure = failure
        }
    }

    package struct News: Codable, Sendable, Hashable {
        /// One more than the former number.
        package let number: Int
        package let report: SyncReport
    }
}

extension SyncNotes.Answer: Codable {
    private struct Members: NoteMembers {
        static let textName = "failure"

        let id: String
        let report: SyncReport?
    }

    package init(from decoder: any Decoder) throws {
        let read = try AdvisedMembers<Members>(from: decoder)
        self.init(id: read.others.id, report: read.others.report, failure: read.text)
    }

    package func encode(to encoder: any Encoder) throws {
        try AdvisedMembers(Members(id: id, report: report), text: failure).encode(to: encoder)
    }
}
