import FieldRecords
import Testing

@testable import FieldSync

/// How many photos a sync fetches next.
@Suite struct PhotoPaceTests {
    @Test func theSettingDecides() {
        #expect(PhotoPace(.always).next == ServiceLimits.photoRecords)
        #expect(PhotoPace(.onDemand).next == nil)
        #expect(PhotoPace(.goodLink).next == ServiceLimits.firstPhotoRecords)
    }

    /// By the first photos, of which there have to be enough bytes.
    @Test(
        arguments: [
            (ServiceLimits.measuredBytes - 1, 1_000_000, ServiceLimits.firstPhotoRecords),
            (ServiceLimits.goodLink * 4, 4_000, ServiceLimits.photoRecords),
            (ServiceLimits.goodLink * 4, 4_001, nil),
            (ServiceLimits.goodLink * 4, 0, ServiceLimits.photoRecords),
        ] as [(UInt64, UInt64, Int?)])
    func aGoodLinkIsAFastOne(bytes: UInt64, milliseconds: UInt64, next: Int?) {
        var pace = PhotoPace(.goodLink)
        pace.note(bytes: bytes, milliseconds: milliseconds)
        #expect(pace.next == next)
    }

    @Test func aSlowLinkNeverEndsPhotosThatAlwaysCome() {
        var pace = PhotoPace(.always)
        pace.note(bytes: 1 << 20, milliseconds: 1_000_000)
        #expect(pace.next == ServiceLimits.photoRecords)
    }

    /// Of a link that gets slower on the way the whole sync counts.
    @Test func theSpeedIsThatOfTheWholeSync() {
        var pace = PhotoPace(.goodLink)
        pace.note(bytes: ServiceLimits.goodLink * 2, milliseconds: 2_000)
        #expect(pace.bytesPerSecond == ServiceLimits.goodLink)
        pace.note(bytes: 0, milliseconds: 1_000)
        #expect(pace.next == nil)
    }
}
