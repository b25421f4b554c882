/// The commonest words of languages: nearly every text has them, so a search for them is useless.
enum Stopwords {
    static func contains(_ word: [UInt8], of language: SearchLanguage) -> Bool {
        word.count <= longest && (all[language]?.contains(word) ?? false)
    }

    private static let longest = 16

    private static let all: [SearchLanguage: Set<[UInt8]>] = [
        .danish: set(
            """
            og i jeg det at en den til er som på de med han af for ikke der var mig sig men et har om vi min havde ham hun \
            nu over da fra du ud sin dem os op man hans hvor eller hvad skal selv her alle vil blev kunne ind når være dog \
            noget ville jo deres efter ned skulle denne end dette mit også under have dig anden hende mine alt meget sit \
            sine vor mod disse hvis din nogle hos blive mange ad bliver hendes været thi jer sådan
            """),
        .english: set(
            """
            i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers \
            herself it its itself they them their theirs themselves what which who whom this that these those am is are \
            was were be been being have has had having do does did doing will would should can could may might shall must \
            ought a an the and but if or because as until while of at by for with about against between into through \
            during before after above below to from up down in out on off over under again further then once here there \
            when where why how all any both each few more most other some such no nor not only own same so than too very
            """),
        .french: set(
            """
            au aux avec ce ces dans de des du elle en et eux il je la le leur lui ma mais me même mes moi mon ne nos notre \
            nous on ou par pas pour qu que qui sa se ses son sur ta te tes toi ton tu un une vos votre vous c d j l à m n \
            s t y été étée étées étés étant suis es est sommes êtes sont serai seras sera serons serez seront étais était \
            étions étiez étaient fus fut fûmes fûtes furent sois soit soyons soyez soient ayant eu ai as avons avez ont \
            aurai aura aurons aurez auront avais avait avions aviez avaient eut eurent aie ait ayons ayez aient
            """),
        .german: set(
            """
            aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei \
            bin bis bist da damit dann der den des dem die das daß dass derselbe dein deine deinem deinen deiner denn dich \
            dir du dies diese diesem diesen dieser dieses doch dort durch ein eine einem einen einer eines einig einige er \
            ihn ihm es etwas euer eure für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich mich mir ihr \
            ihre ihrem ihren ihrer ihres euch im in indem ins ist jede jedem jeden jeder jedes jene jetzt kann kein keine \
            keinem keinen keiner können könnte machen man manche mein meine meinem meinen meiner mit muss musste nach nicht \
            nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner selbst sich sie ihnen sind so solche soll \
            sollte sondern sonst über um und uns unser unter viel vom von vor während war waren warst was weg weil weiter \
            welche welchem welchen welcher wenn werde werden wie wieder will wir wird wirst wo wollen wollte würde würden \
            zu zum zur zwar zwischen
            """),
        .italian: set(
            """
            ad al allo ai agli all agl alla alle con col coi da dal dallo dai dagli dall dagl dalla dalle di del dello dei \
            degli dell degl della delle in nel nello nei negli nell negl nella nelle su sul sullo sui sugli sull sugl sulla \
            sulle per tra contro io tu lui lei noi voi loro mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro \
            nostra nostri nostre vostro vostra vostri vostre mi ti ci vi lo la li le gli ne il un uno una ma ed se perché \
            anche come dov dove che chi cui non più quale quanto quanti quanta quante quello quelli quella quelle questo \
            questi questa queste si tutto tutti a c e i l o ho hai ha abbiamo avete hanno sono sei è siamo siete era erano
            """),
        .norwegian: set(
            """
            og i jeg det at en et den til er som på de med han av ikke der så var meg seg men ett har om vi min mitt ha \
            hadde hun nå over da ved fra du ut sin dem oss opp man kan hans hvor eller hva skal selv sjøl her alle vil ble \
            kunne inn når være kom noen noe ville dere deres kun ja etter ned skulle denne for deg si sine sitt mot å meget \
            hvorfor dette disse uten hvordan ingen din ditt blir samme hvilken hvilke sånn inni mellom vår hver hvem vors \
            hvis både bare enn fordi før mange også slik vært
            """),
        .portuguese: set(
            """
            de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou quando \
            muito nos já eu também só pelo pela até isso ela entre depois sem mesmo aos seus quem nas me esse eles você \
            essa num nem suas meu às minha numa pelos elas qual nós lhe deles essas esses pelas este dele tu te vocês vos \
            lhes meus minhas teu tua teus tuas nosso nossa nossos nossas dela delas esta estes estas aquele aquela aqueles \
            aquelas isto aquilo estou está estamos estão é são era foi foram ser tem tinha há
            """),
        .spanish: set(
            """
            de la que el en y a los del se las por un para con no una su al lo como más pero sus le ya o este sí porque \
            esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno les ni contra \
            otros ese eso ante ellos e esto mí antes algunos qué unos yo otro otras otra él tanto esa estos mucho quienes \
            nada muchos cual poco ella estar estas algunas algo nosotros mi mis tú te ti tu tus ellas vosotros os mío mía \
            es son era fue fueron ser está están ha han había
            """),
        .swedish: set(
            """
            och det att i en jag hon som han på den med var sig för så till är men ett om hade de av icke mig du henne då \
            sin nu har inte hans honom skulle hennes där min man ej vid kunde något från ut när efter upp vi dem vara vad \
            över än dig kan sina här ha mot alla under någon eller allt mycket sedan ju denna själv detta åt utan varit hur \
            ingen mitt ni bli blev oss din dessa några deras blir mina samma vilken er sådan vår blivit dess inom mellan \
            sådant varför varje vilka ditt vem vilket sitt vart dina vars vårt våra ert era
            """),
    ]

    private static func set(_ text: String) -> Set<[UInt8]> { Set(text.split(separator: " ").map { Array($0.utf8) }) }
}
