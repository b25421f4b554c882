import FieldRecords

/// How many photos a sync may fetch next, by the setting and by the speed of those that have come. Pure.
struct PhotoPace: Sendable {
    private let policy: PhotoPolicy
    private var bytes: UInt64 = 0
    private var milliseconds: UInt64 = 0

    init(_ policy: PhotoPolicy) { self.policy = policy }

    /// A portion has come.
    mutating func note(bytes: UInt64, milliseconds: UInt64) {
        self.bytes += bytes
        self.milliseconds += milliseconds
    }

    /// `nil` while too little has come to know it.
    var bytesPerSecond: UInt64? { bytes < ServiceLimits.measuredBytes ? nil : bytes * 1_000 / max(1, milliseconds) }

    /// The number of records whose photos are fetched next; `nil` if no more are.
    var next: Int? {
        switch policy {
        case .always: return ServiceLimits.photoRecords
        case .onDemand: return nil
        case .goodLink:
            guard let bytesPerSecond else { return ServiceLimits.firstPhotoRecords }
            return bytesPerSecond >= ServiceLimits.goodLink ? ServiceLimits.photoRecords : nil
        }
    }
}
