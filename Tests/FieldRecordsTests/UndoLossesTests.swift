import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Finds the photos that would be lost when a change is taken back.
@Suite struct UndoLossesTests {
    private static func inspection(_ photos: (name: String, file: String)...) -> JSONObject {
        let items = photos.map { photo -> JSONValue in
            let digest = JSONValue.string(BlobDigest(of: Array(photo.file.utf8)).text)
            return ["name": .string(photo.name), "blob": ["@type": "blob", "digest": digest]]
        }
        return ["type": "inspection", "photos": .array(items)]
    }

    private static func lost(from present: JSONObject, to before: JSONObject) -> [Name] {
        var losses = UndoLosses()
        losses.add(RecordReference(.inspection, id: "inspection-1"), before: before, present: present)
        return losses.photos.flatMap(\.names)
    }

    @Test func aPhotoIsItsFileAndNotItsName() {
        let before = Self.inspection(("x.jpg", "door"))
        #expect(Self.lost(from: Self.inspection(("new.jpg", "door")), to: before).isEmpty)
        #expect(Self.lost(from: Self.inspection(("x.jpg", "window")), to: before) == ["x.jpg"])
        #expect(Self.lost(from: Self.inspection(("x.jpg", "door"), ("y.jpg", "roof")), to: before) == ["y.jpg"])
    }

    @Test func theSameFileTwiceIsNotLost() {
        let twice = Self.inspection(("x.jpg", "door"), ("x-2.jpg", "door"))
        #expect(Self.lost(from: twice, to: Self.inspection(("x.jpg", "door"))).isEmpty)
        #expect(Self.lost(from: twice, to: Self.inspection()) == ["x.jpg", "x-2.jpg"])
    }

    /// Other programs may write anything.
    @Test func whatIsNoPhotoIsNoLoss() {
        let damaged: JSONObject = ["type": "inspection", "photos": [5, ["name": "x"], ["blob": [:]]]]
        #expect(Self.lost(from: damaged, to: [:]).isEmpty)
        #expect(Self.lost(from: ["photos": "x"], to: damaged).isEmpty)
    }
}
