import DocumentValues
import FieldModels

/// Who makes a change, when, and on which device.
public struct Author: Sendable, Hashable {
    @Exact public var name: String?
    public var moment: Timestamp
    /// The name that the folder's settings have for it; `nil` if devices need not be distinguished.
    @Exact public var device: String?

    public init(name: String?, moment: Timestamp, device: String? = nil) {
        self.name = name
        self.moment = moment
        self.device = device
    }

    /// The same, some seconds later.
    func later(by seconds: Int64) -> Author {
        Author(name: name, moment: Timestamp(secondsSince1970: moment.secondsSince1970 + seconds), device: device)
    }

    /// Notes in the body of a record that this author changed it last.
    func stamp(_ body: inout JSONObject) {
        body["changedBy"] = name.map { .string($0) }
        body["changedAt"] = .string(moment.description)
        body["device"] = device.map { .string($0) }
    }
}
