<?xml version="1.0" encoding="UTF-8"?>
<!-- Documents and pairs of documents of a corpus as pages for a browser. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:x="http://www.xces.org/schema/2003" exclude-result-prefixes="x">
  <xsl:output method="html" encoding="UTF-8" indent="no" doctype-system="about:legacy-compat"/>

  <xsl:template name="head">
    <xsl:param name="title"/>
    <head>
      <meta charset="utf-8"/>
      <title><xsl:value-of select="$title"/></title>
      <style>
        body { font: 16px/1.5 sans-serif; margin: 1rem auto; max-width: 60rem; padding: 0 1rem }
        table { border-collapse: collapse } td, th { padding: .1rem .6rem; text-align: start; vertical-align: top }
        .out { color: #777; font-size: .85em } .out::before { content: attr(data-why) ": " }
        .topic { color: #05620f; font-size: .85em } .sides { display: flex; gap: 1rem; max-width: none }
        iframe { border: 1px solid #ccc; flex: 1; height: 85vh }
      </style>
    </head>
  </xsl:template>

  <!-- A page's address is a link only where a browser would fetch it. -->
  <xsl:template name="address">
    <xsl:param name="url"/>
    <xsl:choose>
      <xsl:when test="starts-with($url, 'http://') or starts-with($url, 'https://')">
        <a href="{$url}" rel="noreferrer"><xsl:value-of select="$url"/></a>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="$url"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="row">
    <xsl:param name="name"/>
    <xsl:param name="text"/>
    <xsl:if test="string($text)">
      <tr><th><xsl:value-of select="$name"/></th><td><xsl:value-of select="$text"/></td></tr>
    </xsl:if>
  </xsl:template>

  <xsl:template match="/x:cesDoc">
    <xsl:variable name="source" select="x:cesHeader/x:fileDesc/x:sourceDesc//x:monogr"/>
    <xsl:variable name="class" select="x:cesHeader/x:profileDesc/x:textClass"/>
    <html>
      <xsl:call-template name="head"><xsl:with-param name="title" select="$source/x:title"/></xsl:call-template>
      <body>
        <table>
          <tr><th>URL</th><td>
            <xsl:call-template name="address"><xsl:with-param name="url" select="string($source//x:eAddress)"/></xsl:call-template>
          </td></tr>
          <xsl:call-template name="row"><xsl:with-param name="name" select="'Title'"/><xsl:with-param name="text" select="$source/x:title"/></xsl:call-template>
          <xsl:call-template name="row"><xsl:with-param name="name" select="'Author'"/><xsl:with-param name="text" select="$source/x:author"/></xsl:call-template>
          <xsl:call-template name="row"><xsl:with-param name="name" select="'Date'"/><xsl:with-param name="text" select="$source//x:pubDate"/></xsl:call-template>
          <xsl:call-template name="row"><xsl:with-param name="name" select="'Language'"/><xsl:with-param name="text" select=".//x:language/@iso639"/></xsl:call-template>
          <xsl:call-template name="row"><xsl:with-param name="name" select="'Domain'"/><xsl:with-param name="text" select="$class/x:domain"/></xsl:call-template>
          <xsl:call-template name="row"><xsl:with-param name="name" select="'Subdomain'"/><xsl:with-param name="text" select="$class/x:subdomain"/></xsl:call-template>
          <xsl:call-template name="row"><xsl:with-param name="name" select="'Genre'"/><xsl:with-param name="text" select="$class/x:genre"/></xsl:call-template>
          <xsl:call-template name="row"><xsl:with-param name="name" select="'License'"/><xsl:with-param name="text" select="$source//x:license/@target"/></xsl:call-template>
          <xsl:call-template name="row"><xsl:with-param name="name" select="'Page'"/><xsl:with-param name="text" select=".//x:annotation"/></xsl:call-template>
        </table>
        <div lang="{.//x:language/@iso639}" dir="auto"><xsl:apply-templates select="x:text/x:body/x:p"/></div>
      </body>
    </html>
  </xsl:template>

  <xsl:template match="x:p[@crawlinfo]">
    <p class="out" data-why="{@crawlinfo}" id="{@id}" dir="auto"><xsl:value-of select="."/></p>
  </xsl:template>
  <xsl:template match="x:p[not(@crawlinfo)]">
    <xsl:variable name="name">
      <xsl:choose>
        <xsl:when test="@type = 'title'">h1</xsl:when>
        <xsl:when test="@type = 'heading'">h2</xsl:when>
        <xsl:when test="@type = 'listitem'">li</xsl:when>
        <xsl:when test="@type = 'quote'">blockquote</xsl:when>
        <xsl:when test="@type = 'preformatted' or @type = 'code'">pre</xsl:when>
        <xsl:otherwise>p</xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <xsl:element name="{$name}">
      <xsl:attribute name="id"><xsl:value-of select="@id"/></xsl:attribute>
      <xsl:attribute name="dir">auto</xsl:attribute>
      <xsl:value-of select="."/>
      <xsl:if test="@topic"><span class="topic"> [<xsl:value-of select="@topic"/>]</span></xsl:if>
    </xsl:element>
  </xsl:template>

  <xsl:template match="/x:cesAlign">
    <xsl:variable name="sides" select=".//x:translation"/>
    <html>
      <xsl:call-template name="head"><xsl:with-param name="title" select="'Translations'"/></xsl:call-template>
      <body style="max-width: none">
        <p>Probability <xsl:value-of select=".//x:translations/@confidence"/>, evidence <xsl:value-of select=".//x:translations/@method"/></p>
        <div class="sides">
          <xsl:for-each select="$sides"><iframe src="{@trans.loc}.html" title="{@xml:lang}"/></xsl:for-each>
        </div>
      </body>
    </html>
  </xsl:template>
</xsl:stylesheet>
