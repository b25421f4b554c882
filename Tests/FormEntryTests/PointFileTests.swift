import DocumentValues
import FormLogic
import Testing

@testable import FormEntry

/// Lines of points from files.
@Suite struct PointFileTests {
    private func read(_ text: String) -> String { read(Array(text.utf8)) }

    private func read(_ bytes: [UInt8]) -> String {
        switch PointFile.read(bytes, name: "a.gpx") {
        case .success(let points): Answer.points(points).text
        case .failure(let refusal): "! \(refusal.reason)"
        }
    }

    private static let two = "52.5 13.4 34.0 0.0; 52.6 13.5 0.0 0.0"

    @Test(arguments: [
        "<?xml version=\"1.0\"?>\n<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"><!-- a > b --><wpt lat=\"1\" lon=\"2\"/><trk><name>A &amp; B</name><trkseg>"
            + "<trkpt lat=\"52.5\" lon='13.4'><ele>34</ele></trkpt></trkseg><trkseg><trkpt lon=\"13.5\" lat=\"52.6\" /></trkseg></trk></gpx>",
        "<gpx><rte><rtept lat=\"52.5\" lon=\"13.4\"><ele> 34.0 </ele></rtept><rtept lat=\"52.6\" lon=\"13.5\"></rtept></rte></gpx>",
        "<gpx><wpt lat=\"52.5\" lon=\"13.4\"><ele>34</ele></wpt><wpt lat=\"52.6\" lon=\"13.5\"/></gpx>",
        "<kml><Placemark><LineString><coordinates>\n 13.4,52.5,34\n13.5,52.6 </coordinates></LineString></Placemark></kml>",
        "<k:kml xmlns:k='x'><k:Polygon><k:outerBoundaryIs><k:LinearRing><k:coordinates>13.4,52.5,34 13.5,52.6,0</k:coordinates></k:LinearRing></k:outerBoundaryIs>"
            + "<k:innerBoundaryIs><k:LinearRing><k:coordinates>1,2 3,4</k:coordinates></k:LinearRing></k:innerBoundaryIs></k:Polygon></k:kml>",
        "<kml><gx:Track><when>x</when><gx:coord>13.4 52.5 34</gx:coord><gx:coord>13.5 52.6 0</gx:coord></gx:Track></kml>",
        "<kml><Point><coordinates>13.4,52.5,34</coordinates></Point><Point><coordinates><![CDATA[13.5,52.6]]></coordinates></Point></kml>",
        #"{"type":"LineString","coordinates":[[13.4,52.5,34],[13.5,52.6]]}"#,
        #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[13.4,52.5,34],[13.5,52.6]],[[1,2]]]}}]}"#,
        #"{"type":"GeometryCollection","geometries":[{"type":"MultiPoint","coordinates":[[13.4,52.5,34],[13.5,52.6]]}]}"#,
        "52.5 13.4 34\n52.6 13.5\n", "\u{FEFF}lat,lon,ele\r\n52.5,13.4,34\r\n\r\n# a comment\r\n52.6,13.5,0\r\n",
        "52,5 13,4 34\n52,6 13,5",
    ])
    func filesOfPoints(text: String) { #expect(read(text) == Self.two) }

    @Test(arguments: [
        (
            "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk><rte><rtept lat=\"1\" lon=\"2\"/></rte></gpx>",
            "it has 2 lines"
        ),
        ("<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx/>", "it has a document type (DTD), which may refer to other files"),
        ("<gpx/>", "it has no line and no points"),
        ("<gpx>", "this is no file with points, or it is damaged"),
        ("<gpx></gp>", "this is no file with points, or it is damaged"),
        ("</gpx>", "this is no file with points, or it is damaged"),
        ("<gpx lat=\"1></gpx>", "this is no file with points, or it is damaged"),
        ("<gpx lat></gpx>", "this is no file with points, or it is damaged"),
        ("<!-- ", "this is no file with points, or it is damaged"),
        ("<wpt lat=\"1\"/>", "it has a point without a latitude or a longitude"),
        ("<wpt lat=\"91\" lon=\"2\"/>", "a latitude is from -90 to 90 degrees"),
        ("<kml><coordinates>13.4</coordinates></kml>", "it has a point without a latitude or a longitude"),
        ("{\"type\":", "this is no file with points, or it is damaged"),
        ("{\"type\":\"Point\",\"coordinates\":[\"a\",1]}", "it has a point without a latitude or a longitude"),
        ("{}", "it has no line and no points"), ("", "it has no line and no points"),
        ("52.5 13.4\n52.5", "line 2: must be a position, not '52.5'"),
        ("120 30\n", "line 1: the latitude goes first in a line"),
        ("lat,lon\nlat,lon", "line 2: must be a position, not 'lat,lon'"),
    ])
    func filesThatAreRefused(text: String, reason: String) { #expect(read(text) == "! 'a.gpx': \(reason)") }

    @Test func otherBytesAreRefused() {
        #expect(read([0xFF, 0xFE, 0x3C, 0x00]) == "! 'a.gpx': this is no file with points, or it is damaged")
        #expect(read([0x89, 0x50, 0x4E, 0x47, 0, 1]) == "! 'a.gpx': this is no file with points, or it is damaged")
        #expect(
            read(Array(repeating: 0x20, count: EntryLimits.pointFile + 1)) == "! 'a.gpx': the file is larger than 16 MB"
        )
    }

    @Test func elementsAreNotInsideEachOtherWithoutEnd() {
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(read(deep) == "! 'a.gpx': this is no file with points, or it is damaged")
    }

    @Test func manyPointsAreRefused() {
        let points = Array(repeating: "<wpt lat=\"1\" lon=\"2\"/>", count: EntryLimits.points + 1).joined()
        #expect(read("<gpx>\(points)</gpx>") == "! 'a.gpx': has more than 20000 points")
        #expect(
            read(Array(repeating: "1 2", count: EntryLimits.points + 1).joined(separator: "\n"))
                == "! 'a.gpx': has more than 20000 points")
    }
}
