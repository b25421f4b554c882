import Foundation
import Glibc
import Testing

/// Photos of a colleague, with a real gateway: they come by a setting, and when they are opened.
@Suite(.serialized) struct PhotoSettingTests {
    private func absent(_ laptop: FieldLaptop) throws -> Int? {
        try laptop.run("status", "--json").events.last?["absentPhotos"] as? Int
    }

    @Test(.timeLimit(.minutes(3))) func aPhotoComesWhenItIsOpened() throws {
        let gateway = try Gateway()
        try gateway.makeFieldDatabase()
        for name in ["mara", "ines"] { try gateway.setFieldUser(name, ["district.hill"]) }
        let (mara, ines) = (try FieldLaptop(), try FieldLaptop())
        for (laptop, name) in [(mara, "mara"), (ines, "ines")] {
            #expect(try laptop.login(gateway, name).status == 0)
        }
        #expect(try mara.run("new", "site", "Mill", "district=hill").status == 0)
        #expect(try mara.run("new", "inspection", "mill", "score=90").status == 0)
        let inspection = try #require(try mara.ids("inspections").first)
        #expect(try mara.run("attach", inspection, try mara.file("door.jpg", "a photo")).status == 0)
        #expect(try mara.run("sync", "--photos", "on-demand").out.contains("1 photo"), "her own photos are sent")

        let sync = try ines.run("sync", "--photos", "on-demand")
        #expect(sync.status == 0 && sync.out.contains("1 photo is not on this laptop yet"), "\(sync)")
        #expect(try absent(ines) == 1)
        #expect(try ines.run("photo", "list", inspection).out.contains("not on this laptop yet"))
        // An edit without the photo loses it nowhere.
        #expect(try ines.run("edit", inspection, "notes=seen", "--yes").status == 0)
        #expect(try ines.run("sync").status == 0)
        #expect(try ines.waiting() == 0 && absent(ines) == 1)

        let copy = ines.path("copy.jpg")
        let saved = try ines.run("photo", "save", inspection, "door.jpg", copy)
        #expect(try saved.status == 0 && String(contentsOfFile: copy, encoding: .utf8) == "a photo", "\(saved)")
        #expect(try absent(ines) == 0)
        #expect(try mara.run("sync").status == 0)
        #expect(try mara.run("show", inspection).out.contains("seen") && absent(mara) == 0)
    }

    @Test(.timeLimit(.minutes(3))) func photosComeBehindTheRecordsOnceTheyMay() throws {
        let gateway = try Gateway()
        try gateway.makeFieldDatabase()
        for name in ["mara", "ines"] { try gateway.setFieldUser(name, ["district.hill"]) }
        let (mara, ines) = (try FieldLaptop(), try FieldLaptop())
        for (laptop, name) in [(mara, "mara"), (ines, "ines")] {
            #expect(try laptop.login(gateway, name).status == 0)
        }
        #expect(try mara.run("new", "site", "Mill", "district=hill").status == 0)
        #expect(try mara.run("new", "inspection", "mill", "score=90").status == 0)
        let inspection = try #require(try mara.ids("inspections").first)
        for name in ["door.jpg", "roof.jpg"] {
            #expect(try mara.run("attach", inspection, try mara.file(name, "a photo of \(name)")).status == 0)
        }
        #expect(try mara.run("sync").status == 0)
        #expect(try ines.run("sync", "--photos", "on-demand").status == 0)
        #expect(try absent(ines) == 2)
        let sync = try ines.run("sync", "--photos", "always")
        #expect(sync.status == 0 && sync.out.contains("Received 2 photos"), "\(sync)")
        #expect(try absent(ines) == 0)
        // Without a network, what is not here is named.
        #expect(try mara.run("attach", inspection, try mara.file("yard.jpg", "a yard")).status == 0)
        #expect(try mara.run("sync").status == 0)
        #expect(try ines.run("sync", "--photos", "on-demand").status == 0)
        _ = gateway.kill(SIGTERM)
        let failed = try ines.run("photo", "save", inspection, "yard.jpg", ines.path("yard.jpg"))
        #expect(failed.status == 1 && failed.err.contains("yard.jpg is still at the gateway"), "\(failed)")
    }
}
